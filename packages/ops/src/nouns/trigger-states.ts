import type { Clock } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Scheduler } from '@svc/scheduler';
import type { ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { RuntimeState } from '../results.ts';
import { type Definition, definitionsOf } from './definition.ts';
import { hostZone } from './host-zone.ts';
import { promptFaultOf } from './prompt-warnings.ts';

/** Tells the states of the triggers of a project that has been read already. */
export type TriggerStates = (
  project: ProjectSnapshot,
  file: ProjectFile,
) => Promise<readonly RuntimeState[]>;

export function createTriggerStates(deps: OpsDeps, scheduler: Scheduler): TriggerStates {
  const zoneNow = createZoneMemory(deps.clock);
  return async (project, file) => {
    const running = await deps.store.runs.running(project.slug);
    const zone = zoneNow();
    return definitionsOf(project.slug, file).map((definition) => {
      const { source, name } = definition.key;
      const isRunning = (running.get(`${source}/${name}`) ?? 0) > 0;
      const state = stateOf(scheduler, definition, isRunning, zone);
      const fault = 'reason' in state ? null : promptFaultOf(project, definition);
      return fault === null ? state : { ...state, reason: fault };
    });
  };
}

const ZONE_MS = 60_000;

// Asking the system takes longer than everything else in a list of states; a minute later it may have changed.
function createZoneMemory(clock: Clock): () => string {
  let known = { zone: '', until: Number.NEGATIVE_INFINITY };
  return () => {
    const now = clock.mono();
    if (now >= known.until) known = { zone: hostZone(), until: now + ZONE_MS };
    return known.zone;
  };
}

const NO_DISPATCH = 'Events are recorded, but do not start triggers in this version yet.';

function stateOf(
  scheduler: Scheduler,
  definition: Definition,
  running: boolean,
  zone: string,
): RuntimeState {
  const { key, type, when, enabled } = definition;
  const base = {
    name: key.name,
    source: key.source,
    type,
    timezone: when?.kind === 'cron' ? (when.timezone ?? zone) : null,
    running,
    paused: false,
  };
  if (type === 'webhook') {
    return { ...base, armed: false, nextFire: null, reason: 'Webhook triggers never fire yet.' };
  }
  if (type === 'event') {
    return { ...base, armed: enabled, nextFire: null, ...(enabled ? { reason: NO_DISPATCH } : {}) };
  }
  const state = scheduler.state(key);
  const reason = state?.error ?? (enabled ? null : 'It is disabled.');
  return {
    ...base,
    armed: state?.armed ?? false,
    nextFire: state?.nextFire == null ? null : new Date(state.nextFire).toISOString(),
    ...(reason === null ? {} : { reason }),
  };
}
