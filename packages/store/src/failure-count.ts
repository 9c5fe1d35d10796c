import { isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type RunOutcome, type TriggerKey } from '@svc/records';
import type { Transaction } from 'kysely';
import type { Tables } from './schema.ts';
import { ofKey } from './trigger-columns.ts';

/** The end of a run, as far as it counts. */
export interface CountedEnd {
  readonly key: TriggerKey;
  readonly outcome: RunOutcome;
  /** Of the definition that it ran; null where that is not known. */
  readonly definitionHash: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const FAILURES: readonly RunOutcome[] = FAILURE_OUTCOMES;

/**
 * Counts failures in a row, in the order in which runs end, and pauses the trigger with the last one that its definition
 * allows. A success ends both; what was cancelled, interrupted, missed or skipped says nothing about the trigger.
 */
export async function countEnd(tx: Transaction<Tables>, end: CountedEnd): Promise<void> {
  if (end.outcome === 'succeeded') {
    await ofKey(tx.updateTable('trigger_state').set(UNCOUNTED), end.key).execute();
  } else if (FAILURES.includes(end.outcome)) await countFailure(tx, end);
}

/** Nothing is counted, and nothing paused. */
export const UNCOUNTED = { consecutive_failures: 0, paused_at: null, paused_reason: null } as const;

async function countFailure(tx: Transaction<Tables>, end: CountedEnd): Promise<void> {
  const { key, definitionHash, at } = end;
  const counted = tx
    .updateTable('trigger_state')
    .set((eb) => ({ consecutive_failures: eb('consecutive_failures', '+', 1) }))
    // The failure of an older definition says nothing about the one that is guarded now.
    .$if(definitionHash !== null, (query) =>
      query.where(({ eb, or }) =>
        or([eb('guard_hash', 'is', null), eb('guard_hash', '=', definitionHash)]),
      ),
    )
    .returning(['consecutive_failures', 'pause_after', 'paused_at']);
  const state = await ofKey(counted, key).executeTakeFirst();
  if (state === undefined || state.pause_after === null || state.paused_at !== null) return;
  if (state.consecutive_failures < state.pause_after) return;
  const paused = { paused_at: isoTime(at), paused_reason: reasonOf(state.consecutive_failures) };
  await ofKey(tx.updateTable('trigger_state').set(paused), key).execute();
}

function reasonOf(failures: number): string {
  return failures === 1
    ? 'It was paused after 1 failure.'
    : `It was paused after ${failures} failures in a row.`;
}
