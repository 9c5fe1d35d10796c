import type { Change, Run, RunId } from '@svc/records';
import type { Formatter } from './format.ts';
import type { WhyRecords } from './records.ts';

/** Possible decisions about an instant. */
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

/** A decision. */
type WhyDecision = (typeof DECISIONS)[number];

/** The decision about an instant, and the records it is based on. */
export interface WhyAnswer {
  readonly decision: WhyDecision;
  /** Who decided: `service`, `file`, or who made the change or requested the run. */
  readonly by: string;
  readonly sentences: readonly string[];
  /** The slot in question, in milliseconds since the epoch; null if there was none. */
  readonly slot: number | null;
  /** The nearest slots of the effective definition while it was armed; null if there are none. */
  readonly before: number | null;
  readonly after: number | null;
  readonly runId: RunId | null;
  readonly changes: readonly Change[];
}

/** The data for an answer. */
export interface Question {
  readonly records: WhyRecords;
  /** The requested instant, and until when a slot counts as requested. */
  readonly from: number;
  readonly until: number;
  readonly format: Formatter;
}

/** An answer with defaults for the usual fields. */
export function answer(
  given: Pick<WhyAnswer, 'decision' | 'by' | 'sentences'> & Partial<WhyAnswer>,
): WhyAnswer {
  return { slot: null, before: null, after: null, runId: null, changes: [], ...given };
}

/** A run with the slot in question. */
export interface FoundRun {
  readonly run: Run;
  readonly slot: number;
}
