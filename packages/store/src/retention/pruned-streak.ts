import { FAILURE_OUTCOMES, type TriggerKey } from '@svc/records';
import type { Kysely, Transaction } from 'kysely';
import { ofKey } from '../claims/trigger-columns.ts';
import type { Tables } from '../database/schema.ts';

/** The end of a removed run. */
export interface PrunedEnd {
  readonly id: string;
  readonly outcome: string | null;
}

/** Of the removed runs, the newest that succeeded, and the number of failures after it. */
export interface PrunedStreak {
  readonly success: string | null;
  readonly failures: number;
}

const FAILURES: readonly (string | null)[] = FAILURE_OUTCOMES;

/** Reads the removed part of the consecutive failures of a trigger. */
export async function readPrunedStreak(db: Kysely<Tables>, key: TriggerKey): Promise<PrunedStreak> {
  const query = db.selectFrom('trigger_state').select(['pruned_success', 'pruned_failures']);
  const row = await ofKey(query, key).executeTakeFirst();
  return { success: row?.pruned_success ?? null, failures: Number(row?.pruned_failures ?? 0) };
}

/** Records what alerts need to know about removed runs; the trigger has a row already. */
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
