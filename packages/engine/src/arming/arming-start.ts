import type { KeyedMutex } from '@svc/core';
import type { Slug } from '@svc/records';
import type { Scheduler } from '@svc/scheduler';
import type { EngineDeps } from '../deps.ts';
import type { ArmingCache } from './arming-cache.ts';

/** Number of processed projects and of triggers armed from them. */
export interface ArmingProgress {
  readonly projects: number;
  readonly ofProjects: number;
  readonly triggers: number;
}

/** Arms all projects when the service starts. */
interface ArmingStart {
  /** Skips the rest when the service closes. */
  run(projects: readonly Slug[]): Promise<void>;
  /** null while it is not running. */
  readonly progress: ArmingProgress | null;
}

interface StartParts {
  readonly cache: ArmingCache;
  /** Arms one project. Never rejects. */
  readonly follow: (project: Slug) => Promise<void>;
  readonly inTurn: KeyedMutex['run'];
  readonly closing: AbortSignal;
}

// Concurrently, so that a slow project file does not delay other projects, and that commits are shared.
const LANES = 256;
const AT_ONCE = 200;
const LOG_EVERY_MS = 3000;

export function createArmingStart(
  { clock, logger }: Pick<EngineDeps, 'clock' | 'logger'>,
  scheduler: Pick<Scheduler, 'size'>,
  { cache, follow, inTurn, closing }: StartParts,
): ArmingStart {
  let done: { projects: number; readonly ofProjects: number } | null = null;
  let loggedAt = clock.mono();
  const advance = (projects: number): void => {
    if (done === null) return;
    done.projects += projects;
    if (clock.mono() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = clock.mono();
    logger.info({ ...done, triggers: scheduler.size }, 'arming triggers');
  };
  // Projects without a usable cache entry are armed as after an edit.
  const fromMemory = async (some: readonly Slug[]): Promise<readonly Slug[]> => {
    const left = await cache.arm(some, inTurn).catch(() => some);
    advance(some.length - left.length);
    await clock.yield();
    return left;
  };
  const oneByOne = async (waiting: Slug[]): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (closing.aborted) return;
      await follow(next);
      advance(1);
    }
  };
  return {
    get progress() {
      return done === null ? null : { ...done, triggers: scheduler.size };
    },
    async run(projects) {
      done = { projects: 0, ofProjects: projects.length };
      loggedAt = clock.mono();
      const left: Slug[] = [];
      for (let from = 0; from < projects.length && !closing.aborted; from += AT_ONCE) {
        left.push(...(await fromMemory(projects.slice(from, from + AT_ONCE))));
      }
      const known = projects.length - left.length;
      if (known > 0) {
        logger.info({ projects: known, triggers: scheduler.size }, 'triggers armed from cache');
      }
      left.reverse();
      await Promise.all(Array.from({ length: LANES }, () => oneByOne(left)));
      done = null;
    },
  };
}
