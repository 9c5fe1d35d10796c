import { statSync } from 'node:fs';
import type { Clock, Logger, TimerHandle } from '@svc/core';
import type { HomeLock } from './home-lock.ts';

/** Checks that a home remains the one that was opened. */
export interface HomeGuard {
  /** Why this process cannot continue, in one sentence; null if it can. */
  readonly fault: string | null;
  close(): void;
}

/** What to check, and the callbacks. */
export interface GuardedHome {
  /** The opened folder and database, which must exist when the guard is created. Null: the database is not a file. */
  readonly data: string;
  readonly database: string | null;
  readonly lock: HomeLock;
  /** Why the database cannot be used any more, in one sentence, which was already logged; null if it can. */
  examine(): string | null;
  /** Called on changes: true if the home was lost, false if it is back. */
  onChange(isLost: boolean): void;
}

const CHECK_INTERVAL_MS = 1000;

const REPLACED =
  'The data folder was deleted or replaced while svc was running. Put it back, or restart svc.';

/** Checks every second whether data folder, database and lock are still those that were opened. */
export async function createHomeGuard(
  deps: { readonly clock: Clock; readonly logger: Logger },
  home: GuardedHome,
): Promise<HomeGuard> {
  const opened = identityOf(home);
  let fault: string | null = null;
  let closed = false;
  let timer: TimerHandle | null = null;
  const check = async (): Promise<void> => {
    const isSame = identityOf(home) === opened;
    const damage = isSame ? home.examine() : null;
    const now = isSame ? (damage ?? (await home.lock.verify())) : REPLACED;
    if (closed || now === fault) return;
    fault = now;
    if (damage !== null) {
      home.onChange(true);
      return;
    }
    if (now === null) deps.logger.info({ data: home.data }, 'home folder available again');
    else deps.logger.error({ data: home.data, reason: now }, 'home folder lost');
    home.onChange(now !== null);
  };
  const later = (): void => {
    if (closed) return;
    timer = deps.clock.setTimeout(() => void check().then(later), CHECK_INTERVAL_MS);
  };
  later();
  return {
    get fault() {
      return fault;
    },
    close() {
      closed = true;
      if (timer !== null) deps.clock.clearTimeout(timer);
    },
  };
}

// Synchronous, because on a local disk this takes a twentieth of the time of an asynchronous call, every second, as
// long as the service runs.
function identityOf({ data, database }: GuardedHome): string {
  return [data, ...(database === null ? [] : [database])].map(identityAt).join(' ');
}

function identityAt(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return 'none';
  }
}
