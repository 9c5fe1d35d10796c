import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  statfsSync,
} from 'node:fs';
import { setImmediate as nextRound } from 'node:timers/promises';

/**
 * Decides whether the content of a protected file comes from outside its sandbox. A sandbox can change the file only
 * between its replacement by another program and the moment at which the new file is protected, or later through what it
 * opened or linked in between.
 */
export interface FileTrust {
  /** Call it with each event of the watched folder that is about the file, or may be. */
  readonly changed: (event: string) => void;
  /** Call it while the processes of the sandbox are paused and the file is not protected. */
  assessReplacement(): Promise<void>;
  /** Call both around work that may replace the file from outside, while the processes of the sandbox are paused. */
  beforeWork(): Promise<void>;
  afterWork(): Promise<void>;
  /** Call it when no process of the sandbox is left. Returns whether the present content is trusted. */
  end(): Promise<boolean>;
  /** Whether a content of the file certainly comes from outside. */
  trusts(content: Buffer): boolean;
  /** A person has confirmed this content. */
  confirm(content: Buffer): void;
}

// File systems on which every write, also by a mapping, sets the time of the last change.
const TIMED_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0xca451a4e, // bcachefs
]);

const MAX_BYTES = 16 * 1024 * 1024;
const READ_SAFELY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * @param file absolute path
 * @param isWatched whether events of the file are reported
 */
export function createFileTrust(file: string, isWatched: boolean): FileTrust {
  // Only the last one, because a sandbox must not bring an earlier one back.
  let trusted: string | null = null;
  let events = { rename: 0, change: 0 };
  let present: bigint | undefined;
  // Whether the sandbox may have opened or linked the present file.
  let isExposed = isLinkedElsewhere(statOf(file));
  const trustPresent = (): void => {
    const content = contentOf(file);
    if (content !== null) trusted = hashOf(content);
  };
  trustPresent();
  const assess = async (): Promise<void> => {
    await eventsDelivered();
    const stats = statOf(file);
    const isClean = isWatched && events.rename === 1 && events.change === 0;
    if (isClean && stats !== null && isUnchangedSinceRename(file, stats)) trustPresent();
    isExposed = true;
    events = { rename: 0, change: 0 };
  };
  const trusts = (content: Buffer): boolean => {
    const hash = hashOf(content);
    if (!isExposed && events.rename === 0) trusted = hash;
    return hash === trusted;
  };
  return {
    changed(event) {
      if (event === 'rename') events.rename += 1;
      // Before a replacement, only programs outside can change the file.
      else if (events.rename > 0) events.change += 1;
    },
    assessReplacement: assess,
    async beforeWork() {
      await eventsDelivered();
      if (events.rename > 0) await assess();
      present = statOf(file)?.ino;
    },
    async afterWork() {
      await eventsDelivered();
      const stats = statOf(file);
      if (stats?.ino === present) return;
      events = { rename: 0, change: 0 };
      isExposed = isLinkedElsewhere(stats);
      trustPresent();
    },
    async end() {
      await eventsDelivered();
      if (events.rename > 0) await assess();
      const content = contentOf(file);
      return content === null || trusts(content);
    },
    trusts,
    confirm(content) {
      trusted = hashOf(content);
    },
  };
}

// A change of the content or of its times would be later than the rename, which sets the time of the last change of status.
function isUnchangedSinceRename(file: string, stats: BigIntStats): boolean {
  const isTimed = stats.isFile() && stats.mtimeNs < stats.ctimeNs;
  return isTimed && !isLinkedElsewhere(stats) && TIMED_FILE_SYSTEMS.has(statfsSync(file).type);
}

function isLinkedElsewhere(stats: BigIntStats | null): boolean {
  return stats?.isFile() === true && stats.nlink > 1n;
}

// Node reads all pending events in each round of its event loop.
async function eventsDelivered(): Promise<void> {
  await nextRound();
  await nextRound();
}

function statOf(file: string): BigIntStats | null {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
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
