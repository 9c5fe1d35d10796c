import type { ProjectSnapshot } from '@svc/projects';
import { type Slug, triggerId } from '@svc/records';
import { type ArmState, type Scheduler, storedState } from '@svc/scheduler';
import type { OpsDeps } from '../deps.ts';
import { armRequestOf, definitionsOf } from './definition.ts';
import type { Zones } from './zones.ts';

/** How triggers stand. */
export type ArmedStates = Pick<Scheduler, 'state'>;

/** Tells how the triggers of these projects stand, whichever process looks after them. */
export type ArmedStatesIn = (projects: readonly ProjectSnapshot[]) => Promise<ArmedStates>;

interface StateSources {
  readonly scheduler: Scheduler;
  readonly arming: {
    /** Whether what is armed of a project is armed in this process. */
    isHere(project: Slug): boolean;
  };
  readonly zones: Pick<Zones, 'hostMark'>;
}

export function createArmedStates(
  { store, clock }: Pick<OpsDeps, 'store' | 'clock'>,
  { scheduler, arming, zones }: StateSources,
): ArmedStatesIn {
  return async (projects) => {
    const elsewhere = projects.filter(({ slug }) => !arming.isHere(slug));
    if (elsewhere.length === 0) return scheduler;
    const stored = await store.claims.loadProjects(elsewhere.map(({ slug }) => slug));
    const now = clock.now();
    const states = new Map<Slug, ReadonlyMap<string, ArmState>>();
    for (const { slug, file } of elsewhere) {
      const own = new Map<string, ArmState>();
      for (const definition of file === null ? [] : definitionsOf(slug, file)) {
        const request = armRequestOf(definition, zones.hostMark);
        if (!request?.ok) continue;
        const id = triggerId(definition.key);
        own.set(id, storedState(request.value, stored.get(slug)?.get(id), now));
      }
      states.set(slug, own);
    }
    return {
      state(key) {
        const own = states.get(key.project);
        return own === undefined ? scheduler.state(key) : (own.get(triggerId(key)) ?? null);
      },
    };
  };
}
