import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import type { OpsDeps } from '../deps.ts';

/** Brings projects up to date, until it has come about. */
interface Following {
  open(): void;
  /** Brings one up to date, and tries again, ever more slowly, where that fails, until it does not or it is asked to again. Never rejects. */
  follow(project: Slug): Promise<void>;
  /** The same when something may have changed: what is told while a project is looked at is looked at once more, however often it is told. */
  hear(project: Slug): Promise<void>;
  /** Tries nothing again from then on. */
  close(): void;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

export function createFollowing(
  { clock, logger }: Pick<OpsDeps, 'clock' | 'logger'>,
  sync: (project: Slug) => Promise<void>,
): Following {
  let isOpen = false;
  const retries = new Map<Slug, TimerHandle>();
  const tryAndAgain = async (project: Slug, delayMs: number): Promise<void> => {
    const waiting = retries.get(project);
    if (waiting !== undefined) clock.clearTimeout(waiting);
    retries.delete(project);
    try {
      await sync(project);
    } catch (error) {
      logger[failureLevel(error, 'error')](
        { project, error: messageOf(error) },
        'cannot arm project',
      );
      if (!isOpen) return;
      const timer = clock.setTimeout(() => {
        void tryAndAgain(project, Math.min(delayMs * 2, LAST_RETRY_MS));
      }, delayMs);
      retries.set(project, timer);
    }
  };
  const told = new Map<Slug, boolean>();
  return {
    open() {
      isOpen = true;
    },
    follow: (project) => tryAndAgain(project, FIRST_RETRY_MS),
    async hear(project) {
      const isFollowed = told.has(project);
      told.set(project, true);
      if (isFollowed) return;
      while (told.get(project) === true) {
        told.set(project, false);
        await tryAndAgain(project, FIRST_RETRY_MS);
      }
      told.delete(project);
    },
    close() {
      isOpen = false;
      for (const timer of retries.values()) clock.clearTimeout(timer);
      retries.clear();
    },
  };
}
