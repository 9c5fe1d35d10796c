import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Decides whether the content of a protected file comes from outside its sandbox. The sandbox may have changed a file
 * that another program put in its place, until that was protected as well, and even later through what it opened or
 * linked in between. Whether it did cannot be seen afterwards, so such a content is not trusted.
 */
export interface FileTrust {
  /** Call it when the file is not protected, while the processes of the sandbox are paused. */
  exposed(): void;
  /** Call both around work that may replace the file from outside, while the processes of the sandbox are paused. */
  beforeWork(): void;
  afterWork(): void;
  /**
   * Whether a content of the file certainly comes from outside. Call it when the file is protected, or no process of the
   * sandbox is left.
   */
  trusts(content: Buffer): boolean;
  /** Whether its present content does; true if there is none. */
  trustsPresent(): boolean;
  /** A person has confirmed this content. */
  confirm(content: Buffer): void;
}

const MAX_BYTES = 16 * 1024 * 1024;
const READ_SAFELY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** @param file absolute path */
export function createFileTrust(file: string): FileTrust {
  // Only the last one, because a sandbox must not bring an earlier one back.
  let trusted: string | null = null;
  let known = fileAt(file);
  let before = known;
  let isExposed = known.isLinkedElsewhere;
  const trustPresent = (): void => {
    const content = contentOf(file);
    if (content !== null) trusted = hashOf(content);
  };
  trustPresent();
  const look = (): void => {
    const now = fileAt(file);
    isExposed ||= now.identity !== known.identity;
    known = now;
  };
  const trusts = (content: Buffer): boolean => {
    look();
    const hash = hashOf(content);
    if (!isExposed) trusted = hash;
    return hash === trusted;
  };
  return {
    exposed() {
      isExposed = true;
      known = fileAt(file);
    },
    beforeWork() {
      look();
      before = known;
    },
    afterWork() {
      known = fileAt(file);
      if (known.identity === before.identity) return;
      isExposed = known.isLinkedElsewhere;
      trustPresent();
    },
    trusts,
    trustsPresent() {
      const content = contentOf(file);
      return content === null || trusts(content);
    },
    confirm(content) {
      trusted = hashOf(content);
    },
  };
}

interface FileAt {
  /** Differs from that of every other file, also of one that gets the same inode later. */
  readonly identity: string;
  readonly isLinkedElsewhere: boolean;
}

function fileAt(file: string): FileAt {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { identity: '', isLinkedElsewhere: false };
  return {
    identity: [stats.dev, stats.ino, stats.birthtimeNs].join(),
    isLinkedElsewhere: stats.isFile() && stats.nlink > 1n,
  };
}

// A FIFO or a huge file, which a sandbox may have put there, must not delay the service.
function contentOf(file: string): Buffer | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, READ_SAFELY);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(descriptor) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}
