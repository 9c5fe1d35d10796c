import { failure, messageOf, type Result, success } from '@svc/core';
import type { Folder, FolderFault, FolderVisit } from '../folder.ts';
import type { FileBatch } from './file-wire.ts';
import { failed } from './resolved-path.ts';

/** A visit in batches. */
export interface VisitBatches {
  next(): Promise<Result<FileBatch, FolderFault>>;
  leave(): void;
}

// Characters of paths per batch: large enough to amortize the round trip, small enough for memory.
const BATCH_CHARS = 64 * 1024;
const BATCH_ENTRIES = 512;

/** Creates a visit that pauses after each batch until the next one is requested. */
export function visitInBatches(folder: Folder, path: string, options: FolderVisit): VisitBatches {
  let entries: FileBatch['entries'][number][] = [];
  let chars = 0;
  let resume: (answer: 'go' | 'stop') => void = () => {};
  let hand: (batch: Result<FileBatch, FolderFault>) => void = () => {};
  const give = (cut: boolean | null): void => {
    const batch = { entries, cut };
    entries = [];
    chars = 0;
    hand(success(batch));
  };
  const visit = async (): Promise<void> => {
    const ended = await folder.visit(path, options, async ({ below, place, kind }) => {
      entries.push({ below, place, kind });
      chars += below.length + place.length;
      if (chars < BATCH_CHARS && entries.length < BATCH_ENTRIES) return 'go';
      const asked = new Promise<'go' | 'stop'>((resolve) => {
        resume = resolve;
      });
      give(null);
      return asked;
    });
    if (ended.ok) give(ended.value.cut);
    else hand(ended);
  };
  let started = false;
  return {
    next() {
      const batch = new Promise<Result<FileBatch, FolderFault>>((resolve) => {
        hand = resolve;
      });
      if (started) resume('go');
      else void visit().catch((error) => hand(failure(failed(`${messageOf(error)}.`))));
      started = true;
      return batch;
    },
    leave: () => resume('stop'),
  };
}
