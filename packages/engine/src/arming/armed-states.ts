import type { ProjectSnapshot } from '@svc/projects';
import { type Slug, triggerId } from '@svc/records';
import { type ArmState, type Scheduler, storedState } from '@svc/scheduler';
import type { Members } from '../cluster/members.ts';
import { armRequestOf, definitionsOf } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';
import type { Zones } from './zones.ts';

/** Armed states of triggers. */
export type ArmedStates = Pick<Scheduler, 'state'>;

/** The armed states of the triggers of these projects, whichever server owns them. */
export type ArmedStatesIn = (projects: readonly ProjectSnapshot[]) => Promise<ArmedStates>;

interface StateSources {
  readonly scheduler: Scheduler;
  readonly members: Pick<Members, 'isShared'>;
  readonly zones: Pick<Zones, 'hostMark'>;
}

export function createArmedStates(
  { store, clock }: Pick<EngineDeps, 'store' | 'clock'>,
  { scheduler, members, zones }: StateSources,
): ArmedStatesIn {
  return async (projects) => {
    if (!members.isShared) return scheduler;
    const stored = await store.claims.loadProjects(projects.map(({ slug }) => slug));
    const now = clock.now();
    const states = new Map<Slug, ReadonlyMap<string, ArmState>>();
    for (const { slug, file } of projects) {
      const own = new Map<string, ArmState>();
      for (const definition of file === null ? [] : definitionsOf(slug, file)) {
        const request = armRequestOf(definition, zones.hostMark);
        if (!request?.ok) continue;
        const id = triggerId(definition.key);
        const state = storedState(request.value, stored.get(slug)?.get(id), now);
        own.set(id, fuller(state, scheduler.state(definition.key)));
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

// Another server may have just armed it again; otherwise this server may know more.
function fuller(stored: ArmState, known: ArmState | null): ArmState {
  const { armed, nextFire } = stored;
  return known?.armed === armed && known.nextFire === nextFire ? known : stored;
}
