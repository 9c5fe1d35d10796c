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

/** A late slot that waits for its point of the spread. */
export interface Wait {
  /** The instant as of which lateness counts, so that the waiting itself makes nothing too late; null: now. */
  readonly judgedAt: number | null;
  /** When this process armed the trigger, where slots had passed before; they were missed for want of a process. */
  readonly armedAt: number | null;
}

/** What is wrong, or was. */
export interface Trouble {
  readonly error: string | null;
  readonly attempts: number;
  /** What was decided before the clock was set back, while it has not caught up. */
  readonly ahead: Ahead | null;
}

/** One wanted trigger. There may be a hundred thousand: fields are few, and what is rare hangs on an object of its own. */
export class Entry {
  request: ArmRequest;
  recurrence: Recurrence | null;
  slot: number;
  /** How long after its instant `slot` is started, in milliseconds. */
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

/** When the slot of an entry is to be started. */
export function dueAt(entry: Entry): number {
  return entry.slot + entry.delayMs;
}

export function catchUpWindow(entry: Entry): number {
  const { catchUpWindowMs } = entry.request;
  if (catchUpWindowMs !== null) return catchUpWindowMs;
  return entry.recurrence?.kind === 'interval' ? entry.recurrence.periodMs : HOUR_MS;
}

/**
 * When a late slot is looked at: at a point of the span that is fixed for each trigger, so that many do not start at
 * once, and well before the next regular slot, so that it is made up for and the regular one is on time.
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
