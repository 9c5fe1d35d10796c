/** How a turn can end. */
export const TURN_OUTCOMES = [
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
  'max_turns',
  'denied',
  'no_model',
] as const;
/** How one turn ended. */
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

/** Outcomes of a turn that need attention, because it did not complete its task. */
export const FAILURE_OUTCOMES = [
  'failed',
  'timed_out',
  'max_turns',
  'denied',
  'no_model',
] as const satisfies readonly TurnOutcome[];

/** How a run can end: as its turn did, or without having started one. */
export const RUN_OUTCOMES = [
  ...TURN_OUTCOMES,
  'missed',
  'skipped_overlap',
  'skipped_paused',
  'skipped_limit',
] as const;
/** How one run ended. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

const WORDS: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  cancelled: 'was cancelled',
  interrupted: 'was interrupted',
  max_turns: 'reached its call limit',
  denied: 'was denied',
  no_model: 'did nothing',
  missed: 'was missed',
  skipped_overlap: 'was skipped',
  skipped_paused: 'was skipped',
  skipped_limit: 'was skipped',
};

/** The rest of a sentence about how something ended: "timed out". */
export function outcomeText(outcome: RunOutcome): string {
  return WORDS[outcome];
}

/** Where a run or turn stands. */
export const RUN_STATES = ['queued', 'running', 'ended'] as const;
/** Where one run or turn stands. */
export type RunState = (typeof RUN_STATES)[number];

/** Why a trigger fired. */
export const CAUSES = ['schedule', 'event', 'manual'] as const;
/** Why one run came to be. */
export type Cause = (typeof CAUSES)[number];
