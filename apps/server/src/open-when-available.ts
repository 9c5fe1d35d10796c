import type { Clock, Logger } from '@svc/core';
import { StoreError } from '@svc/store';

/** Callbacks and state while waiting for a database. */
export interface DatabaseWait {
  /** Called once, before the first attempt. */
  begin(): Promise<void>;
  /** Called with the reason after each failed attempt, in one sentence. */
  failed(reason: string): void;
  /** Address at which the service listens in the meantime, for the log. */
  readonly url: () => string;
  /**
   * The reason if the database was lost before: the first attempt then follows after a pause. Null: no attempt was made yet.
   */
  readonly lost: string | null;
  /** Resolves when waiting must end. Default: never. */
  readonly stopRequested?: Promise<void> | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly logger: Logger;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;

/**
 * Opens a database, retrying after 0.5 s to 5 s while it is unavailable. Returns null if waiting was ended before. Other errors
 * than `unavailable` are thrown.
 */
export async function openWhenAvailable<T extends { close(): Promise<void> }>(
  deps: Deps,
  open: () => Promise<T>,
  waiting: DatabaseWait,
): Promise<T | null> {
  const log = createWaitingLog(deps, waiting.url);
  const stopped = waiting.stopRequested?.then(() => null) ?? new Promise<null>(() => {});
  await waiting.begin();
  if (waiting.lost !== null) {
    log.failed(waiting.lost);
    if (await isStoppedWithin(deps.clock, MAX_PAUSE_MS, stopped)) return null;
  }
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const opening = open().then((store) => ({ store }), reasonOf);
    const opened = await Promise.race([opening, stopped]);
    if (opened === null) {
      void closeLate(opening);
      return null;
    }
    if (typeof opened !== 'string') {
      log.answered();
      return opened.store;
    }
    log.failed(opened);
    waiting.failed(opened);
    if (await isStoppedWithin(deps.clock, pause, stopped)) return null;
  }
}

// A database that opens after waiting has ended is closed again.
async function closeLate(
  opening: Promise<string | { readonly store: { close(): Promise<void> } }>,
): Promise<void> {
  const late = await opening.catch(() => '');
  if (typeof late !== 'string') await late.store.close();
}

function reasonOf(error: unknown): string {
  if (isUnavailable(error)) return error.message;
  throw error;
}

/** Whether the database is unavailable at the moment. */
export function isUnavailable(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'unavailable';
}

async function isStoppedWithin(clock: Clock, ms: number, stopped: Promise<null>): Promise<boolean> {
  let end = (): void => {};
  const over = new Promise<false>((resolve) => {
    end = () => resolve(false);
  });
  const timer = clock.setTimeout(end, ms);
  const isOver = await Promise.race([over, stopped.then(() => true)]);
  clock.clearTimeout(timer);
  return isOver;
}

const REPEAT_LOG_MS = 60_000;

function createWaitingLog({ clock, logger }: Deps, url: () => string) {
  let last: { readonly reason: string; readonly at: number } | null = null;
  return {
    failed(reason: string): void {
      const at = clock.mono();
      if (last?.reason === reason && at - last.at < REPEAT_LOG_MS) return;
      last = { reason, at };
      const fields = { reason, url: url() };
      logger.warn(fields, 'listening, waiting for the database');
    },
    answered(): void {
      if (last !== null) logger.info({}, 'database reachable');
    },
  };
}
