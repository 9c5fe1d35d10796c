import type { Change, Run, RunId } from '@svc/records';
import type { WhyRecords } from './records.ts';
import type { Telling } from './words.ts';

/** What can be decided about an instant. */
export const DECISIONS = [
  'fired',
  'underway',
  'missed',
  'skipped',
  'asked_for',
  'event',
  'due',
  'undecided',
  'no_slot',
  'off',
  'removed',
  'invalid',
  'not_scheduled',
  'not_armed',
  'down',
  'superseded',
  'not_recorded',
] as const;

/** One of them. */
type WhyDecision = (typeof DECISIONS)[number];

/** What was decided about an instant, and what that rests on. */
export interface WhyAnswer {
  readonly decision: WhyDecision;
  /** Who decided: `service`, `file`, or whoever made the change or asked for the run. */
  readonly by: string;
  readonly sentences: readonly string[];
  /** The slot that it is about, in milliseconds since the epoch; null where there was none. */
  readonly slot: number | null;
  /** The nearest slots of the definition that was in force, while it was armed; null where there are none. */
  readonly before: number | null;
  readonly after: number | null;
  readonly runId: RunId | null;
  readonly changes: readonly Change[];
}

/** What an answer is made of. */
export interface Asking {
  readonly records: WhyRecords;
  /** The asked instant, and until when a slot counts as meant by it. */
  readonly from: number;
  readonly until: number;
  readonly telling: Telling;
}

/** An answer without what stands in most of them. */
export function answer(
  given: Pick<WhyAnswer, 'decision' | 'by' | 'sentences'> & Partial<WhyAnswer>,
): WhyAnswer {
  return { slot: null, before: null, after: null, runId: null, changes: [], ...given };
}

/** A run with the slot that it is about. */
export interface FoundRun {
  readonly run: Run;
  readonly slot: number;
}
