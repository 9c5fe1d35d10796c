import { type Checked, isoTime, success } from '@svc/core';
import type { SlotCursor, Source, TriggerId, TriggerKey } from '@svc/records';
import { parseInterval, type Recurrence } from '@svc/recurrence';
import type { ArmRequest } from './arm-request.ts';
import { WRONG_CLOCK_MS } from './limits.ts';

/** The cursor to go on with. */
export interface Start {
  readonly cursor: SlotCursor;
  /** Whether it differs from what is stored. */
  readonly store: boolean;
  /** Whether slots before now count: they do where the trigger had been armed before. */
  readonly resumed: boolean;
  readonly clockNote: string | null;
}

/** Goes on from a stored cursor of the same schedule; any other arming starts now. */
export function startFrom(request: ArmRequest, stored: SlotCursor | undefined, now: number): Start {
  if (stored === undefined || stored.scheduleHash !== request.scheduleHash) {
    const { scheduleHash } = request;
    const cursor = { scheduleHash, anchor: now, armedSince: now, cursor: now };
    return { cursor, store: true, resumed: false, clockNote: null };
  }
  if (!isWrong(stored, now)) {
    return { cursor: stored, store: false, resumed: true, clockNote: null };
  }
  return {
    cursor: putBack(stored, now),
    store: true,
    resumed: true,
    clockNote: noteOn(stored, now),
  };
}

/** Whether a cursor lies so far in the future that the clock must have been wrong when it was stored. */
export function isWrong(cursor: SlotCursor, now: number): boolean {
  return cursor.cursor > now + WRONG_CLOCK_MS;
}

/** A cursor that starts again at `now`; the grid of an interval stays. */
export function putBack(cursor: SlotCursor, now: number): SlotCursor {
  return { ...cursor, armedSince: Math.min(cursor.armedSince, now), cursor: now };
}

export function noteOn(cursor: SlotCursor, now: number): string {
  return `Its last decided slot was ${isoTime(cursor.cursor)}, more than 3 h in the future; it was put back to ${isoTime(now)}.`;
}

/** The recurrence of a request; an interval's grid goes through the anchor. */
export function recurrenceOf(request: ArmRequest, anchor: number): Checked<Recurrence> {
  const { schedule } = request;
  if (schedule.kind === 'cron') return success(schedule.recurrence);
  return parseInterval(schedule.text, { anchor });
}

/** The key that an id is the text of. */
export function keyOf(id: TriggerId): TriggerKey {
  const [project = '', source = '', name = ''] = id.split('/');
  return { project, source: source as Source, name };
}

/** Whether two requests treat passed slots alike. */
export function sameCatchUp(one: ArmRequest, other: ArmRequest): boolean {
  return one.catchUp === other.catchUp && one.catchUpWindowMs === other.catchUpWindowMs;
}
