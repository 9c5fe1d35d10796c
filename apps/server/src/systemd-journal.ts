import { fstatSync } from 'node:fs';

/** Whether a file descriptor is connected to the systemd journal, which sets `JOURNAL_STREAM` to `device:inode`. */
export function isJournal(stream: string | undefined, fd: number): boolean {
  return stream !== undefined && stream === fileIdOf(fd);
}

/** Whether two file descriptors lead to the same file, as with `2>&1`. */
export function isSameFile(one: number, other: number): boolean {
  const place = fileIdOf(one);
  return place !== null && place === fileIdOf(other);
}

function fileIdOf(fd: number): string | null {
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    // The descriptor is closed.
    return null;
  }
}

/** The syslog(3) priority prefix for a log level, as the journal reads it. */
export function priorityPrefix(level: number): string {
  if (level >= 60) return '<2>';
  if (level >= 50) return '<3>';
  if (level >= 40) return '<4>';
  return level >= 30 ? '<6>' : '<7>';
}

/** Adds the priority of an error to each line of a text for the journal. */
export const asErrors = (text: string): string => text.replace(/^/gm, priorityPrefix(50));
