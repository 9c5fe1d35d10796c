import type { SlotClaim } from '@svc/records';
import type { Absences } from './absences.ts';
import { catchUpWindow, type Entry } from './entry.ts';
import { HOUR_MS, type Limits, MINUTE_MS, STEP_MS } from './limits.ts';

const NOT_RUNNING = 'The service was not running at that time.';
const NOT_IN_TIME = 'It could not be claimed in time.';

/** The undecided slots up to now. `first`, `before` and `last` are the same where there is one only. */
export interface Passed {
  readonly first: number;
  readonly before: number;
  readonly last: number;
  readonly count: number;
}

/** How late the newest slot is, counted as of when it was first seen to be late. */
function lateness(entry: Entry, last: number, now: number): number {
  const judgedAt = entry.wait?.judgedAt ?? null;
  return (judgedAt !== null && last <= judgedAt ? judgedAt : now) - last;
}

/** Decides every passed slot: the newest may run, all others are missed. Claims come in slot order. */
export function decideClaims(
  entry: Entry,
  passed: Passed,
  now: number,
  limits: Limits,
  absences: Absences,
): SlotClaim[] {
  const late = lateness(entry, passed.last, now);
  const caughtUp = entry.request.catchUp === 'latest' && late < catchUpWindow(entry);
  const onTime = late <= limits.graceMs && !wasAway(entry, passed.last, late, absences);
  if (!onTime && !caughtUp) return [missed(entry, passed, now, late, absences)];
  const run: SlotClaim = {
    key: entry.request.key,
    as: 'run',
    from: passed.last,
    until: passed.last,
    count: 1,
    claimedAt: now,
    catchUp: !onTime,
    reason: null,
  };
  if (passed.count === 1) return [run];
  const older = { ...passed, last: passed.before, count: passed.count - 1 };
  return [missed(entry, older, now, null, absences), run];
}

function wasAway(entry: Entry, slot: number, late: number, absences: Absences): boolean {
  if (passedBeforeArming(entry, slot)) return true;
  return late > STEP_MS && absences.reasonFor(slot) !== null;
}

function passedBeforeArming(entry: Entry, slot: number): boolean {
  const armedAt = entry.wait?.armedAt ?? null;
  return armedAt !== null && slot <= armedAt;
}

/** `late` is given where the newest slot is among the missed ones. */
function missed(
  entry: Entry,
  passed: Passed,
  now: number,
  late: number | null,
  absences: Absences,
): SlotClaim {
  const window = catchUpWindow(entry);
  const expired = late !== null && late >= window && entry.request.catchUp === 'latest';
  return {
    key: entry.request.key,
    as: 'missed',
    from: passed.first,
    until: passed.last,
    count: passed.count,
    claimedAt: now,
    catchUp: false,
    reason: expired
      ? `It was due more than ${words(window)} before the service could claim it.`
      : absenceReason(entry, passed.first, absences),
  };
}

function absenceReason(entry: Entry, slot: number, absences: Absences): string {
  if (passedBeforeArming(entry, slot)) return NOT_RUNNING;
  return absences.reasonFor(slot) ?? NOT_IN_TIME;
}

function words(ms: number): string {
  if (ms >= HOUR_MS && ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  if (ms >= MINUTE_MS && ms % MINUTE_MS === 0) return `${ms / MINUTE_MS} min`;
  return `${Math.round(ms / 1000)} s`;
}
