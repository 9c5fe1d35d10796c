import type { Clock, Logger } from '@svc/core';
import { StoreError } from '@svc/store';

/** Who waits for a database. */
export interface Waiting {
  /** Called once, before the database is asked for. */
  begin(): Promise<void>;
  /** Told each time why it cannot be used, in one sentence. */
  failed(reason: string): void;
  /** Where it answers meanwhile that there is nothing yet. */
  readonly url: () => string;
  /** Why it was lost just now, so that the first try comes after a pause, too; null: it was not asked for yet. */
  readonly lost: string | null;
  /** Resolves when waiting is to end. Default: never. */
  readonly stopRequested?: Promise<void> | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly logger: Logger;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;

/**
 * Opens a database as soon as it can be opened: tries again and again after pauses of 0.5 s to 5 s, for as long as it is not
 * there. Null where waiting was to end before. Whatever does not mend by itself is thrown.
 */
export async function openWhenThere<T extends { close(): Promise<void> }>(
  deps: Deps,
  open: () => Promise<T>,
  waiting: Waiting,
): Promise<T | null> {
  const log = createWaitingLog(deps, waiting.url);
  const stopped = waiting.stopRequested?.then(() => null) ?? new Promise<null>(() => {});
  await waiting.begin();
  if (waiting.lost !== null) {
    log.failed(waiting.lost);
    if (await isCutShort(deps.clock, LONGEST_PAUSE_MS, stopped)) return null;
  }
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const opening = open().then((store) => ({ store }), reasonOf);
    const opened = await Promise.race([opening, stopped]);
    if (opened === null) {
      void discard(opening);
      return null;
    }
    if (typeof opened !== 'string') {
      log.answered();
      return opened.store;
    }
    log.failed(opened);
    waiting.failed(opened);
    if (await isCutShort(deps.clock, pause, stopped)) return null;
  }
}

// What comes of it after the end of the waiting is nobody's business any more.
async function discard(
  opening: Promise<string | { readonly store: { close(): Promise<void> } }>,
): Promise<void> {
  const late = await opening.catch(() => '');
  if (typeof late !== 'string') await late.store.close();
}

function reasonOf(error: unknown): string {
  if (isAway(error)) return error.message;
  throw error;
}

/** Whether it is the refusal of a database that may be there later. */
export function isAway(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'unavailable';
}

async function isCutShort(clock: Clock, ms: number, stopped: Promise<null>): Promise<boolean> {
  let end = (): void => {};
  const over = new Promise<false>((resolve) => {
    end = () => resolve(false);
  });
  const timer = clock.setTimeout(end, ms);
  const isOver = await Promise.race([over, stopped.then(() => true)]);
  clock.clearTimeout(timer);
  return isOver;
}

const TELL_AGAIN_MS = 60_000;

function createWaitingLog({ clock, logger }: Deps, url: () => string) {
  let last: { readonly reason: string; readonly at: number } | null = null;
  return {
    failed(reason: string): void {
      const at = clock.mono();
      if (last?.reason === reason && at - last.at < TELL_AGAIN_MS) return;
      last = { reason, at };
      const fields = { reason, url: url() };
      logger.warn(fields, 'listening, waiting for the database');
    },
    answered(): void {
      if (last !== null) logger.info({}, 'database reachable');
    },
  };
}
