import { posix } from 'node:path';
import { failure } from '@svc/core';
import type { Folder, FolderFault } from './folder.ts';

/** Maximum size in bytes of a file that the file tools read or write. */
export const MAX_FILE_BYTES: number = 10 * 1024 * 1024;

/** How much one turn may write with file tools, including its child turns. */
export interface WriteLimits {
  /** Maximum number of distinct files written, plus the folders created for them. Default 10,000. */
  readonly filesPerTurn: number;
  /** Maximum total bytes of all writes. Default 1 GiB. */
  readonly bytesPerTurn: number;
}

const DEFAULTS: WriteLimits = { filesPerTurn: 10_000, bytesPerTurn: 1024 ** 3 };

/** Wraps the folder of one turn and enforces the write limits. */
export function limitWrites(folder: Folder, limits: Partial<WriteLimits> = {}): Folder {
  const { filesPerTurn, bytesPerTurn } = { ...DEFAULTS, ...limits };
  const files = new Set<string>();
  let folders = 0;
  let bytes = 0;
  const refusalOf = (path: string, size: number): string | null => {
    if (size > MAX_FILE_BYTES) return tooLarge(path);
    if (files.size + folders >= filesPerTurn && !files.has(posix.normalize(path))) {
      return `${path} was not written: the turn has reached its limit of files and new folders (limits.filesPerTurn: ${filesPerTurn}).`;
    }
    const left = bytesPerTurn - bytes;
    return size <= left
      ? null
      : `${path} was not written: its ${size} bytes exceed the ${left} bytes left for the turn (limits.bytesPerTurn: ${bytesPerTurn}).`;
  };
  return {
    ...folder,
    async write(path, content, options) {
      const refusal = refusalOf(path, content.length);
      if (refusal !== null) return failure<FolderFault>({ kind: 'failed', reason: refusal });
      const written = await folder.write(path, content, options);
      if (written.ok) {
        files.add(written.value.place);
        folders += written.value.folders;
        bytes += content.length;
      }
      return written;
    },
  };
}

/** The fault of a file that would be too large. */
export function tooLarge(path: string): string {
  return `${path} would be larger than 10 MiB, the limit for file tools.`;
}
