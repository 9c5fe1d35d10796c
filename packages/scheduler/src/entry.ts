import { triggerId } from '@svc/records';
import type { Recurrence } from '@svc/recurrence';
import type { Ahead } from './ahead.ts';
import type { ArmRequest } from './contract.ts';
import { HOUR_MS } from './limits.ts';

/**
 * `waiting`: `slot` is the first undecided slot. `busy`: so, and it is being counted or claimed.
 * `faulty`: the next slot could not be computed; everything up to `slot` is decided. `idle`: nothing to wait for.
 * `gone`: no longer wanted.
 */
export type Phase = 'waiting' | 'busy' | 'faulty' | 'idle' | 'gone';

/** A late slot that waits for its point in the spread. */
export interface Wait {
  /** The instant at which lateness is judged, so that the wait itself makes nothing too late; null for now. */
  readonly judgedAt: number | null;
  /**
   * When this process armed the trigger, if slots had already passed. They were missed because no process was
   * running.
   */
  readonly armedAt: number | null;
}

/** What is or was wrong. */
export interface Trouble {
  readonly error: string | null;
  readonly attempts: number;
  /** What was decided before the clock was set back, until the clock has caught up. */
  readonly ahead: Ahead | null;
}

/**
 * One wanted trigger. There may be a hundred thousand of them, so fields are few and rare data is kept in a
 * separate object.
 */
export class Entry {
  request: ArmRequest;
  recurrence: Recurrence | null;
  slot: number;
  /** Delay of the start after `slot`, in milliseconds. */
  delayMs = 0;
  phase: Phase = 'idle';
  heapIndex = -1;
  wait: Wait | null = null;
  trouble: Trouble | null = null;

  constructor(request: ArmRequest, recurrence: Recurrence | null, slot: number) {
    this.request = request;
    this.recurrence = recurrence;
    this.slot = slot;
  }
}

export function isArmed(entry: Entry): boolean {
  return entry.phase === 'waiting' || entry.phase === 'busy';
}

/** When the slot of an entry must be started. */
export function dueAt(entry: Entry): number {
  return entry.slot + entry.delayMs;
}

export function catchUpWindow({ request, recurrence }: Entry): number {
  const periodMs = recurrence?.kind === 'interval' ? recurrence.periodMs : null;
  return request.catchUpWindowMs ?? defaultCatchUpWindow(periodMs);
}

/** How long a missed slot is caught up without `policy.catchUpWindow`: one period of an interval, else an hour; in milliseconds. */
export function defaultCatchUpWindow(periodMs: number | null): number {
  return periodMs ?? HOUR_MS;
}

/**
 * When a late slot is processed: at a fixed point in the spread for each trigger, so that many do not start at
 * once, and well before the next regular slot, which then runs on time.
 */
export function lateSlotPoint(
  request: ArmRequest,
  now: number,
  regular: number | null,
  spanMs: number,
): number {
  const room = regular === null ? spanMs : Math.floor((regular - now) / 2);
  const span = Math.min(spanMs, room);
  return span > 0 ? now + (fnv1a(triggerId(request.key)) % span) : now;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
