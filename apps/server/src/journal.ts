import { fstatSync } from 'node:fs';

/** Whether what is written to a file descriptor goes to the journal, which `JOURNAL_STREAM` names as `device:inode`. */
export function isJournal(stream: string | undefined, fd: number): boolean {
  return stream !== undefined && stream === placeOf(fd);
}

/** Whether two file descriptors lead to the same place, as with `2>&1`. */
export function isSamePlace(one: number, other: number): boolean {
  const place = placeOf(one);
  return place !== null && place === placeOf(other);
}

function placeOf(fd: number): string | null {
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    // It is closed.
    return null;
  }
}

/** What the journal reads as the priority of a line: that of syslog(3) for a level of the log. */
export function priorityPrefix(level: number): string {
  if (level >= 60) return '<2>';
  if (level >= 50) return '<3>';
  if (level >= 40) return '<4>';
  return level >= 30 ? '<6>' : '<7>';
}

/** A text for the journal: each of its lines with the priority of an error. */
export const asErrors = (text: string): string => text.replace(/^/gm, priorityPrefix(50));
