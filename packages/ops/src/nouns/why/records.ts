import type { Change, Run, Standing } from '@svc/records';
import type { ServiceSpan } from '@svc/store';

/** Everything that is recorded of a trigger and bears on an instant. */
export interface WhyRecords {
  /** Its own changes, those of its file and of everything, in the order in which they were written. */
  readonly changes: readonly Change[];
  /** Runs with a slot in the asked stretch, and those without a slot that were claimed in it. */
  readonly runs: readonly Run[];
  readonly spans: readonly ServiceSpan[];
  /** Changes from before this instant (milliseconds) were removed as old ones; null where none was. */
  readonly keptFrom: number | null;
  /** When the newest of the runs was claimed that were removed as old ones (milliseconds); null where none was. */
  readonly prunedUntil: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const DEFINING: readonly Change['kind'][] = [
  'defined',
  'changed',
  'enabled',
  'disabled',
  'removed',
  'invalid',
  'fixed',
];
const ARMING: readonly Change['kind'][] = ['armed', 'disarmed', 'not_armed'];

/** What held of a definition at an instant, and for how long. */
export interface InForce {
  readonly change: Change;
  readonly standing: Standing | null;
  /** The changes of definitions, in the order in which they were written. */
  readonly all: readonly Change[];
}

/** The definition in force at an instant; null before the first that is known. */
export function inForceAt({ changes, keptFrom }: WhyRecords, at: number): InForce | null {
  if (keptFrom !== null && at < keptFrom) return null;
  const all = changes.filter(({ kind, trigger }) => trigger !== null && DEFINING.includes(kind));
  const change = newestAt(all, at);
  return change === null ? null : { change, standing: change.standing, all };
}

/** The first definition that is known. */
export function firstKnown({ changes }: WhyRecords): Change | null {
  return changes.find(({ kind }) => DEFINING.includes(kind)) ?? null;
}

/** How it was armed at an instant; null before it ever was. */
export function armingAt({ changes }: WhyRecords, at: number): Change | null {
  return newestAt(
    changes.filter(({ kind }) => ARMING.includes(kind)),
    at,
  );
}

/** The pause that held at an instant, of everything first, with what ended it. */
export function pauseAt(
  { changes }: WhyRecords,
  at: number,
): { readonly start: Change; readonly end: Change | null } | null {
  for (const isOfAll of [true, false]) {
    const pauses = changes.filter(
      ({ kind, trigger }) =>
        (kind === 'paused' || kind === 'resumed') && (trigger === null) === isOfAll,
    );
    const start = newestAt(pauses, at);
    if (start?.kind === 'paused') return { start, end: nextOf(pauses, start, at) };
  }
  return null;
}

/** What was written first of changes that came into force after an instant, and after another of them. */
export function nextOf(all: readonly Change[], than: Change, at: number): Change | null {
  const from = all.indexOf(than) + 1;
  return all.slice(from).find((change) => Date.parse(change.at) > at) ?? null;
}

// Where the clock was set back, what was written last holds.
function newestAt(all: readonly Change[], at: number): Change | null {
  return all.findLast((change) => Date.parse(change.at) <= at) ?? null;
}

/** A time in which the service was not at work; `to` is null while it is not. */
export interface Down {
  readonly from: number;
  readonly to: number | null;
  readonly isClean: boolean;
}

/** The downtime that an instant lies in; null where the service was at work, or nothing is known. */
export function downAt({ spans }: WhyRecords, at: number): Down | null {
  const before = spans.findLast(({ from }) => from <= at);
  if (before === undefined || before.until === null || at < before.until) return null;
  const after = spans.find(({ from }) => from > at);
  return { from: before.until, to: after?.from ?? null, isClean: before.isClean };
}
