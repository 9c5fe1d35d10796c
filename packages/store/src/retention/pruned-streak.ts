import { FAILURE_OUTCOMES, type TriggerKey } from '@svc/records';
import type { Kysely, Transaction } from 'kysely';
import { ofKey } from '../claims/trigger-columns.ts';
import type { Tables } from '../database/schema.ts';

/** The end of a run that is removed. */
export interface PrunedEnd {
  readonly id: string;
  readonly outcome: string | null;
}

/** Of the runs that were removed, the newest that succeeded, and how many failed after it. */
export interface PrunedStreak {
  readonly success: string | null;
  readonly failures: number;
}

const FAILURES: readonly (string | null)[] = FAILURE_OUTCOMES;

/** What was removed of the failures of a trigger in a row. */
export async function readPrunedStreak(db: Kysely<Tables>, key: TriggerKey): Promise<PrunedStreak> {
  const query = db.selectFrom('trigger_state').select(['pruned_success', 'pruned_failures']);
  const row = await ofKey(query, key).executeTakeFirst();
  return { success: row?.pruned_success ?? null, failures: Number(row?.pruned_failures ?? 0) };
}

/** Keeps what alerts still count of runs that are removed; a row of the trigger is there. */
export async function rememberStreak(
  tx: Transaction<Tables>,
  key: TriggerKey,
  gone: readonly PrunedEnd[],
): Promise<void> {
  const before = await readPrunedStreak(tx, key);
  const successes = gone.flatMap(({ id, outcome }) => (outcome === 'succeeded' ? id : []));
  const success = [before.success ?? '', ...successes].sort().at(-1) ?? '';
  const added = gone.filter(({ id, outcome }) => FAILURES.includes(outcome) && id > success).length;
  const set = {
    pruned_success: success === '' ? null : success,
    pruned_failures: (success === (before.success ?? '') ? before.failures : 0) + added,
  };
  await ofKey(tx.updateTable('trigger_state').set(set), key).execute();
}
