import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { Slug } from '@svc/records';
import type { EngineDeps } from '../deps.ts';
import type { Members } from './members.ts';

/** Keeps the projects armed in this process equal to those that it owns. */
interface Shares {
  /** Follows changes of the membership. Returns how to stop. */
  start(): () => Promise<void>;
}

interface ShareDeps extends Pick<EngineDeps, 'clock' | 'logger'> {
  readonly projects: Pick<EngineDeps['projects'], 'list'>;
}

interface ShareParts {
  /** Projects armed in this process. */
  readonly here: ReadonlySet<Slug>;
  readonly closing: AbortSignal;
  /** Arms projects that are not armed here. */
  arm(projects: readonly Slug[]): Promise<void>;
  /** Leaves a project to its new owner. */
  disarm(project: Slug): Promise<void>;
}

const RETRY_MS = 1000;

export function createShares(
  { clock, logger, projects }: ShareDeps,
  members: Members,
  { here, closing, arm, disarm }: ShareParts,
): Shares {
  let isOpen = false;
  let isDue = false;
  let working: Promise<void> | null = null;
  let timer: TimerHandle | null = null;
  const isWanted = (): boolean => isOpen && isDue && !closing.aborted;
  const shareOut = async (): Promise<void> => {
    while (isWanted()) {
      isDue = false;
      const left = [...here].filter((project) => !members.has(project));
      for (const project of left) await disarm(project);
      const all = await projects.list();
      const gained = all.filter((project) => members.has(project) && !here.has(project));
      if (gained.length > 0) await arm(gained);
      if (left.length + gained.length === 0) continue;
      logger.info(
        { taken: gained.length, left: left.length, projects: here.size },
        'projects rebalanced',
      );
    }
  };
  const look = (): void => {
    isDue = true;
    working ??= shareOut()
      .catch((error: unknown) => {
        logger[failureLevel(error, 'error')](
          { error: messageOf(error) },
          'cannot rebalance projects',
        );
        isDue = true;
        if (isOpen) timer = clock.setTimeout(look, RETRY_MS);
      })
      .finally(() => {
        working = null;
      });
  };
  return {
    start() {
      isOpen = true;
      const unsubscribe = members.subscribe(look);
      // The membership may have changed during the start.
      if (members.isShared) look();
      return async () => {
        isOpen = false;
        unsubscribe();
        if (timer !== null) clock.clearTimeout(timer);
        await working;
      };
    },
  };
}
