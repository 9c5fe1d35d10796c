import { isoTime } from '@svc/core';
import {
  type ArmedStates,
  type ArmedStatesIn,
  DAILY_LIMITS,
  type Definition,
  eventOf,
  type PauseStanding,
  runtimeFault,
  startDelayOf,
  type ZoneDataState,
  type Zones,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import { TRIGGER_TYPES } from '@svc/records';
import type { ClockState } from '@svc/scheduler';
import type { FromSchema } from '@svc/schema';
import { curatorOf, type ProjectFile } from '@svc/trigger-schema';
import { count, exactly, flag, text, textOrNull, time, timeOrNull } from '../common.schema.ts';
import { attentionSchema } from './attention.ts';
import { clockStateOf, clockStateSchema } from './clock-state.ts';
import type { StandingsIn, TriggerStanding } from './standings.ts';

export const zoneDataStateSchema = {
  ...exactly({
    zone: text,
    from: { ...time, description: 'When the two offsets start to differ.' },
    offset: { ...text, description: 'Offset in Node, which is used to fire, e.g. +02:00.' },
    hostOffset: text,
    message: text,
  }),
  description: 'Present if Node and the host have different data for its time zone.',
} as const;

export const runtimeStateSchema = exactly(
  {
    name: text,
    source: { enum: ['trigger', 'schedule'] },
    type: { enum: TRIGGER_TYPES },
    armed: flag,
    nextFire: timeOrNull,
    timezone: textOrNull,
    running: flag,
    paused: {
      ...flag,
      description: 'Whether it is paused, with all triggers or after failures.',
    },
  },
  {
    startDelayMs: {
      ...count,
      description: 'Delay of each start in milliseconds, set by policy.jitter.',
    },
    reason: {
      ...text,
      description: 'Why it is not armed, is paused, or cannot work although armed.',
    },
    pausedAfterFailures: {
      ...exactly({ at: time, reason: text }),
      description: 'Its own pause, since when and why; absent if none.',
    },
    attention: attentionSchema,
    limited: {
      ...exactly({
        limit: { enum: DAILY_LIMITS, description: 'This list may grow.' },
        until: { ...time, description: 'End of the day in the time zone of the host.' },
      }),
      description:
        'Present if a daily limit prevents further starts today; `nextFire` is then the first slot after that.',
    },
    clock: clockStateSchema,
    zoneData: zoneDataStateSchema,
  },
);

/** The armed state and next fire of a trigger. */
export type RuntimeState = FromSchema<typeof runtimeStateSchema>;

/** The states of the triggers of a project that was already read. */
export type TriggerStates = (
  project: ProjectSnapshot,
  file: ProjectFile,
) => Promise<readonly RuntimeState[]>;

interface StateParts {
  readonly zoneNow: () => string;
  readonly zones: Pick<Zones, 'stateOf'>;
  readonly standingsIn: StandingsIn;
}

export function createTriggerStates(
  armedIn: ArmedStatesIn,
  { zoneNow, zones, standingsIn }: StateParts,
): TriggerStates {
  return async (project, file) => {
    const zone = zoneNow();
    const [armed, standings] = await Promise.all([armedIn([project]), standingsIn([project])]);
    const curator = curatorOf(file);
    const { triggers = [] } = standings.get(project.slug) ?? {};
    return triggers.map((standing) => {
      const { definition, pause, attention } = standing;
      const ofTime = timeOf(armed, zones, definition);
      const state = withTime(stateOf(standing, zone), ofTime);
      const needs = attention.length === 0 ? {} : { attention };
      if (pause !== null) return { ...pausedState(state, pause), ...needs };
      const reason = definition.enabled ? reasonOf(standing, state, curator) : null;
      return { ...state, ...(reason === null ? {} : { reason }), ...needs };
    });
  };
}

// The reason for not being armed comes first, except for limits that cannot be enforced.
function reasonOf(
  { definition, effectiveRuntime, fault, limit }: TriggerStanding,
  state: RuntimeState,
  curator: string | null,
): string | null {
  const first = runtimeFault(effectiveRuntime) ?? secondCurator(definition, curator);
  if (first !== null) return first;
  return isHeld(state) ? null : (fault ?? limit?.message ?? null);
}

function secondCurator(definition: Definition, curator: string | null): string | null {
  if (eventOf(definition) !== 'afterTurn' || definition.key.name === curator) return null;
  return `It does not fire: the curator is ${curator}, which comes first in project.yaml.`;
}

// A changed clock or time zone does not prevent it from running.
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

/** Adds the states of its clock and time zone. */
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

function pausedState(state: RuntimeState, { reason, own }: PauseStanding): RuntimeState {
  const after = own === null ? {} : { pausedAfterFailures: { at: own.at, reason: own.reason } };
  return { ...state, paused: true, reason, ...after };
}

function stateOf(standing: TriggerStanding, zone: string): RuntimeState {
  const { definition, armed, nextFire, reason, isRunning, limit } = standing;
  const { key, type, when } = definition;
  const delayMs = startDelayOf(definition);
  return {
    name: key.name,
    source: key.source,
    type,
    timezone: when?.kind === 'cron' ? (when.timezone ?? zone) : null,
    running: isRunning,
    paused: false,
    armed,
    nextFire: nextFire === null ? null : isoTime(nextFire),
    ...(delayMs === 0 || nextFire === null ? {} : { startDelayMs: delayMs }),
    ...(limit === null ? {} : { limited: { limit: limit.name, until: isoTime(limit.until) } }),
    ...(reason === null ? {} : { reason }),
  };
}
