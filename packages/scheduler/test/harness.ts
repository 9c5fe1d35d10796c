import type { Clock } from '@svc/core';
import {
  createFakeClock,
  createMemoryLogger,
  type FakeClock,
  type MemoryLogger,
} from '@svc/core/testing';
import type { TriggerKey } from '@svc/records';
import { type CronRecurrence, parseCron } from '@svc/recurrence';
import {
  type ArmRequest,
  createScheduler,
  type Fire,
  type Scheduler,
  type SchedulerOptions,
} from '@svc/scheduler';
import { createMemoryClaims, type MemoryClaims } from './memory-claims.ts';

export const SECOND = 1000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface World {
  readonly clock: FakeClock;
  readonly logger: MemoryLogger;
  readonly claims: MemoryClaims;
  readonly fires: Fire[];
  /** Starts a scheduler with the same clock and claims, as a new process would. */
  start(options?: SchedulerOptions, clock?: Clock): Scheduler;
  /** `name hh:mm:ss` of every fire, in order; a catch-up ends with `*`. */
  readonly log: string[];
}

export function createWorld(
  at = '2026-01-05T00:00:00.000Z',
  wrap: (clock: FakeClock) => Clock = (clock) => clock,
): World {
  const clock = createFakeClock(at);
  const logger = createMemoryLogger();
  const claims = createMemoryClaims();
  const fires: Fire[] = [];
  return {
    clock,
    logger,
    claims,
    fires,
    start: (options, other) =>
      createScheduler(
        { clock: other ?? wrap(clock), logger, claims, onFire: (won) => void fires.push(...won) },
        options,
      ),
    get log() {
      return fires.map(
        ({ key, scheduledFor, catchUp }) =>
          `${key.name} ${time(scheduledFor)}${catchUp ? '*' : ''}`,
      );
    },
  };
}

/** The same clock with methods that a test can replace. */
export function faceOf(clock: FakeClock): Clock {
  return {
    now: () => clock.now(),
    mono: () => clock.mono(),
    setTimeout: (callback, ms) => clock.setTimeout(callback, ms),
    clearTimeout: (timer) => clock.clearTimeout(timer),
    yield: () => clock.yield(),
  };
}

/** A clock on which every reading takes some milliseconds, and that records when work yielded. */
export function costlyClock(clock: FakeClock, costMs: number): { clock: Clock; yields: number[] } {
  const yields: number[] = [];
  let spent = 0;
  const costly: Clock = {
    ...faceOf(clock),
    mono: () => {
      spent += costMs;
      return clock.mono() + spent;
    },
    yield: () => {
      yields.push(spent);
      return clock.yield();
    },
  };
  return { clock: costly, yields };
}

/** A clock whose timers fire a millisecond early. */
export function earlyTimers(clock: FakeClock): Clock {
  return {
    ...faceOf(clock),
    setTimeout: (callback, ms) => clock.setTimeout(callback, ms > 1 ? ms - 1 : ms),
  };
}

export function time(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

export function at(iso: string): number {
  return Date.parse(iso);
}

export function keyOf(name: string, project = 'demo'): TriggerKey {
  return { project, source: 'trigger', name };
}

export function cronOf(expression: string, timezone = 'UTC'): CronRecurrence {
  const parsed = parseCron(expression, { timezone });
  if (!parsed.ok) throw new Error(parsed.issues.map((issue) => issue.message).join(' '));
  return parsed.value;
}

type Extra = Partial<Omit<ArmRequest, 'key' | 'schedule'>> & { project?: string };

export function cron(name: string, expression: string, extra: Extra = {}): ArmRequest {
  return requestOf(name, { kind: 'cron', recurrence: cronOf(expression) }, expression, extra);
}

export function every(name: string, text: string, extra: Extra = {}): ArmRequest {
  return requestOf(name, { kind: 'interval', text }, text, extra);
}

export function requestOf(
  name: string,
  schedule: ArmRequest['schedule'],
  hash: string,
  { project, ...extra }: Extra = {},
): ArmRequest {
  return {
    key: keyOf(name, project),
    schedule,
    scheduleHash: hash,
    definitionHash: `definition of ${name}`,
    catchUp: 'latest',
    catchUpWindowMs: null,
    ...extra,
  };
}
