import type { ProjectSnapshot } from '@svc/projects';
import type { ClockState } from '@svc/scheduler';
import { curatorOf, type ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { RuntimeState, ZoneDataState } from '../trigger-results.ts';
import type { ArmedStates, ArmedStatesIn } from './armed-states.ts';
import { clockStateOf } from './clock-state.ts';
import { type Definition, definitionsOf, startDelayOf } from './definition.ts';
import { eventOf } from './event-hooks.ts';
import type { PauseStandings, Pauses } from './pauses.ts';
import { promptFaultOf } from './prompt-warnings.ts';
import { type RuntimeInForceOf, runtimeFault } from './runtime-limits.ts';
import type { Zones } from './zones.ts';

/** Tells the states of the triggers of a project that has been read already. */
export type TriggerStates = (
  project: ProjectSnapshot,
  file: ProjectFile,
) => Promise<readonly RuntimeState[]>;

interface StateParts {
  readonly zoneNow: () => string;
  readonly inForceOf: RuntimeInForceOf;
  readonly pauses: Pick<Pauses, 'standingsIn'>;
  readonly zones: Pick<Zones, 'stateOf'>;
}

export function createTriggerStates(
  deps: OpsDeps,
  armedIn: ArmedStatesIn,
  { zoneNow, inForceOf, pauses, zones }: StateParts,
): TriggerStates {
  return async (project, file) => {
    const running = await deps.store.runs.running(project.slug);
    const zone = zoneNow();
    const armed = await armedIn([project]);
    const curator = curatorOf(file);
    const pauseOf = await pauses.standingsIn([project.slug]);
    return definitionsOf(project.slug, file).map((definition) => {
      const { source, name } = definition.key;
      const isRunning = (running.get(`${source}/${name}`) ?? 0) > 0;
      const ofTime = timeOf(armed, zones, definition);
      const state = withTime(stateOf(armed, definition, isRunning, zone), ofTime);
      const pause = pauseOf(definition.key);
      if (pause !== null) return pausedState(state, pause);
      if (!definition.enabled) return state;
      const fault =
        runtimeFault(inForceOf(definition, file.settings)) ??
        secondCurator(definition, curator) ??
        (isHeld(state) ? null : promptFaultOf(project, definition));
      return fault === null ? state : { ...state, reason: fault };
    });
  };
}

function secondCurator(definition: Definition, curator: string | null): string | null {
  if (eventOf(definition) !== 'afterTurn' || definition.key.name === curator) return null;
  return `It does not run by itself: the curator is ${curator}, which stands before it in project.yaml.`;
}

// What its clock or its zone does to it does not keep it from running.
function isHeld({ reason, clock, zoneData }: RuntimeState): boolean {
  return reason !== undefined && reason !== clock?.message && reason !== zoneData?.message;
}

interface OfTime {
  readonly clock: ClockState | null;
  readonly zoneData: ZoneDataState | null;
}

function timeOf(
  armed: ArmedStates,
  zones: Pick<Zones, 'stateOf'>,
  { key, when, enabled }: Definition,
): OfTime {
  return {
    clock: armed.state(key)?.clock ?? null,
    zoneData: enabled ? zones.stateOf(when) : null,
  };
}

/** The same with what its clock and its zone do to it. */
function withTime(state: RuntimeState, { clock, zoneData }: OfTime): RuntimeState {
  if (clock === null && zoneData === null) return state;
  const shown = clock === null ? null : clockStateOf(clock);
  const silent = shown === null || shown.silentUntil === null ? null : shown.message;
  const reason = state.reason ?? silent ?? zoneData?.message;
  return {
    ...state,
    ...(reason === undefined ? {} : { reason }),
    ...(shown === null ? {} : { clock: shown }),
    ...(zoneData === null ? {} : { zoneData }),
  };
}

/** Whether a definition waits to fire, and for when (milliseconds). */
function pausedState(
  state: RuntimeState,
  { reason, own }: NonNullable<ReturnType<PauseStandings>>,
): RuntimeState {
  const after = own === null ? {} : { pausedAfterFailures: { at: own.at, reason: own.reason } };
  return { ...state, paused: true, reason, ...after };
}

interface Standing {
  readonly armed: boolean;
  readonly nextFire: number | null;
  /** Whether its next slots have run already, before its clock was set back. */
  readonly isSilent: boolean;
  /** Why it is not armed, or what will keep it from firing; null where there is nothing to say. */
  readonly reason: string | null;
}

/** How a definition stands; event triggers are armed while they are enabled. */
export function standingOf(armed: ArmedStates, { key, type, enabled }: Definition): Standing {
  const idle = { armed: false, nextFire: null, isSilent: false };
  if (type === 'webhook') return { ...idle, reason: 'Webhook triggers never fire yet.' };
  if (type === 'event')
    return { ...idle, armed: enabled, reason: enabled ? null : 'It is disabled.' };
  const state = armed.state(key);
  const reason = state?.error ?? (enabled ? null : 'It is disabled.');
  const isSilent = (state?.clock?.silentUntil ?? null) !== null;
  return { armed: state?.armed ?? false, nextFire: state?.nextFire ?? null, isSilent, reason };
}

function stateOf(
  states: ArmedStates,
  definition: Definition,
  running: boolean,
  zone: string,
): RuntimeState {
  const { key, type, when } = definition;
  const { armed, nextFire, reason } = standingOf(states, definition);
  const delayMs = startDelayOf(definition);
  return {
    name: key.name,
    source: key.source,
    type,
    timezone: when?.kind === 'cron' ? (when.timezone ?? zone) : null,
    running,
    paused: false,
    armed,
    nextFire: nextFire === null ? null : new Date(nextFire).toISOString(),
    ...(delayMs === 0 || nextFire === null ? {} : { startDelayMs: delayMs }),
    ...(reason === null ? {} : { reason }),
  };
}
