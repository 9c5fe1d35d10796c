import { stat } from 'node:fs/promises';

/** What tells one state of a file from another without reading it. */
export interface FileMark {
  readonly text: string;
  /** When the file was last changed in any way, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/** The mark of a file as it is now; null when there is none. */
export async function markOf(file: string): Promise<FileMark | null> {
  const stats = await stat(file, { bigint: true }).catch(() => null);
  if (stats === null) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return {
    text: [dev, ino, size, mtimeNs, ctimeNs].join(':'),
    changedAt: Math.max(Number(stats.ctimeMs), Number(stats.mtimeMs)),
  };
}
