import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import type { EngineDeps } from '../deps.ts';

/** Brings projects up to date, with retries. */
interface Following {
  open(): void;
  /**
   * Brings a project up to date. After a failure it retries at growing intervals until it succeeds or is called again.
   * Never rejects.
   */
  follow(project: Slug): Promise<void>;
  /** The same after a possible change. Changes during an update cause exactly one further update. */
  onChange(project: Slug): Promise<void>;
  /** Stops retries. */
  close(): void;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

export function createFollowing(
  { clock, logger }: Pick<EngineDeps, 'clock' | 'logger'>,
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
  const pending = new Map<Slug, boolean>();
  return {
    open() {
      isOpen = true;
    },
    follow: (project) => tryAndAgain(project, FIRST_RETRY_MS),
    async onChange(project) {
      const isFollowed = pending.has(project);
      pending.set(project, true);
      if (isFollowed) return;
      while (pending.get(project) === true) {
        pending.set(project, false);
        await tryAndAgain(project, FIRST_RETRY_MS);
      }
      pending.delete(project);
    },
    close() {
      isOpen = false;
      for (const timer of retries.values()) clock.clearTimeout(timer);
      retries.clear();
    },
  };
}
