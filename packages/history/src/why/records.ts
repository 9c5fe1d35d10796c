import type { Change, Run, Standing } from '@svc/records';
import type { ServiceSpan } from '@svc/store';

/** All records of a trigger that affect an instant. */
export interface WhyRecords {
  /** Its own changes, those of its file and those of all triggers, in the order written. */
  readonly changes: readonly Change[];
  /** Runs with a slot in the requested period, and those without a slot that were claimed in it. */
  readonly runs: readonly Run[];
  readonly spans: readonly ServiceSpan[];
  /** Changes before this instant (milliseconds) were removed by retention; null if none were. */
  readonly keptFrom: number | null;
  /** Claim time of the newest run that was removed by retention (milliseconds); null if none was. */
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

/** The effective definition at an instant, and how long it was effective. */
export interface DefinitionAt {
  readonly change: Change;
  readonly standing: Standing | null;
  /** Changes of definitions, in the order written. */
  readonly all: readonly Change[];
}

/** The effective definition at an instant; null before the first known one. */
export function definitionAt({ changes, keptFrom }: WhyRecords, at: number): DefinitionAt | null {
  if (keptFrom !== null && at < keptFrom) return null;
  const all = changes.filter(({ kind, trigger }) => trigger !== null && DEFINING.includes(kind));
  const change = newestAt(all, at);
  return change === null ? null : { change, standing: change.standing, all };
}

/** The first known definition. */
export function firstKnown({ changes }: WhyRecords): Change | null {
  return changes.find(({ kind }) => DEFINING.includes(kind)) ?? null;
}

/** The armed state at an instant; null before the first. */
export function armingAt({ changes }: WhyRecords, at: number): Change | null {
  return newestAt(
    changes.filter(({ kind }) => ARMING.includes(kind)),
    at,
  );
}

/** The pause at an instant, first that of all triggers, with what ended it. */
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

/** The first written of the changes that took effect after an instant, and after a given change. */
export function nextOf(all: readonly Change[], than: Change, at: number): Change | null {
  const from = all.indexOf(than) + 1;
  return all.slice(from).find((change) => Date.parse(change.at) > at) ?? null;
}

// After the clock was set back, the last written change is effective.
function newestAt(all: readonly Change[], at: number): Change | null {
  return all.findLast((change) => Date.parse(change.at) <= at) ?? null;
}

/** A period in which the service was not running; `to` is null if it has not ended. */
export interface Down {
  readonly from: number;
  readonly to: number | null;
  readonly isClean: boolean;
}

/** The downtime that includes an instant; null if the service was running, or if unknown. */
export function downAt({ spans }: WhyRecords, at: number): Down | null {
  const before = spans.findLast(({ from }) => from <= at);
  if (before === undefined || before.until === null || at < before.until) return null;
  const after = spans.find(({ from }) => from > at);
  return { from: before.until, to: after?.from ?? null, isClean: before.isClean };
}
