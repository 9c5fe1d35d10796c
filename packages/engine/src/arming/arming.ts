import type { Slug } from '@svc/records';
import { createShares } from '../cluster/shares.ts';
import type { EngineDeps } from '../deps.ts';
import { type ArmingProgress, createArmingStart } from './arming-start.ts';
import { createFollowing } from './following.ts';
import { type ArmingParts, createProjectArming } from './project-arming.ts';

/** Keeps the armed triggers equal to those in the project files. */
export interface Arming {
  /** Updates one project, whichever server owns it; durable when it resolves. */
  sync(project: Slug): Promise<void>;
  /** Runs work while a project is armed in this process, whichever server owns it. */
  during<T>(project: Slug, work: () => Promise<T>): Promise<T>;
  /** Updates projects with lost claims, because another server may have armed something else. */
  lost(projects: readonly Slug[]): void;
  /** Number of projects armed in this process. */
  readonly size: number;
  /** Number of invalid entries in their files; a file that cannot be read counts as one. */
  readonly invalid: number;
  /** Arms all projects, and follows edits on disk from then on. */
  start(): Promise<void>;
  /** Progress of `start`; null before and after it. */
  readonly progress: ArmingProgress | null;
  close(): Promise<void>;
}

/** Sent to the other servers when a project was armed on behalf of its owner. */
const SIGNAL = 'armed';

export function createArming(deps: EngineDeps, parts: ArmingParts, closing: AbortSignal): Arming {
  const { scheduler, zones, members } = parts;
  const { signals } = deps.store;
  const stops: (() => unknown)[] = [];
  let isStarted = false;
  const takesOver = (): boolean => members.isShared && (isStarted || members.hasOthers);
  const arming = createProjectArming(deps, parts, takesOver);
  const { cache, inTurn, here, sync } = arming;
  const following = createFollowing(deps, sync);
  const { follow, onChange } = following;
  const starting = createArmingStart(deps, scheduler, { cache, follow, inTurn, closing });
  const shares = createShares(deps, members, { here, closing, arm: starting.run, disarm: sync });
  const during = async <T>(project: Slug, work: () => Promise<T>): Promise<T> => {
    try {
      return await arming.during(project, work);
    } finally {
      if (!members.has(project)) signals.send({ kind: SIGNAL, project });
    }
  };
  // The stored state may be from another arming of the same text.
  const again = (project: Slug): void => {
    arming.forget(project);
    void onChange(project);
  };
  const subscribeToOthers = (): (() => void) =>
    signals.subscribe((signal) => {
      if (signal === 'missed') {
        for (const project of here) void onChange(project);
        return;
      }
      const { kind, project = null } = signal;
      if (kind === SIGNAL && project !== null) again(project);
    });
  return {
    sync: (project) => during(project, async () => {}),
    during,
    lost(projects) {
      if (members.isShared) for (const project of projects) again(project);
    },
    get size() {
      return here.size;
    },
    get invalid() {
      return arming.invalid;
    },
    async start() {
      following.open();
      // Watching starts before reading; otherwise an edit in between would be missed.
      stops.push(
        await deps.projects.watch((project) => void onChange(project)),
        subscribeToOthers(),
      );
      await starting.run((await deps.projects.list()).filter((project) => members.has(project)));
      if (closing.aborted) return;
      isStarted = true;
      stops.push(shares.start());
      zones.start(() => {
        for (const project of here) void onChange(project);
      });
    },
    get progress() {
      return starting.progress;
    },
    async close() {
      zones.close();
      for (const stop of stops.splice(0)) await stop();
      following.close();
      await cache.close();
    },
  };
}
