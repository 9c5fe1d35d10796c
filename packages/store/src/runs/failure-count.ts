import { isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type RunOutcome, type TriggerKey } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { inserted, type NewChange } from '../changes/change-rows.ts';
import { ofKey } from '../claims/trigger-columns.ts';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';

/** The end of a run that may count as a failure or success of its trigger. */
export interface CountedEnd {
  readonly key: TriggerKey;
  readonly outcome: RunOutcome;
  /** Hash of the definition that ran; null if unknown. */
  readonly definitionHash: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const FAILURES: readonly RunOutcome[] = FAILURE_OUTCOMES;

/**
 * Counts consecutive failures, in the order in which runs end, and pauses the trigger at the limit of its definition. A
 * success resets the count and ends the pause; cancelled, interrupted, missed and skipped runs are ignored. Returns
 * whether a pause ended.
 */
export async function countEnd(tx: Transaction<Tables>, end: CountedEnd): Promise<boolean> {
  if (end.outcome === 'succeeded') return countSuccess(tx, end);
  if (FAILURES.includes(end.outcome)) await countFailure(tx, end);
  return false;
}

// The end of a run of an earlier definition does not count. An empty hash means unknown.
function isGuarded(hash: string) {
  return sql<boolean>`(${hash} = '' or guard_hash is null or guard_hash = ${hash})`;
}

/** Neither counted failures nor a pause. */
export const UNCOUNTED = { consecutive_failures: 0, paused_at: null, paused_reason: null } as const;

/** Ends the pause of a trigger, records the change, and resets the count; false if it was not paused. */
export async function resumePaused(
  tx: Transaction<Tables>,
  key: TriggerKey,
  change: NewChange,
): Promise<boolean> {
  const resumed = tx
    .updateTable('trigger_state')
    .set(UNCOUNTED)
    .where('paused_at', 'is not', null)
    .returning('name');
  if ((await ofKey(resumed, key).executeTakeFirst()) === undefined) return false;
  await inserted(tx, [change]);
  return true;
}

/** A pause or resumption by the service itself. */
export function pauseChange(
  { project, source, name }: TriggerKey,
  kind: 'paused' | 'resumed',
  at: number,
  reason: string,
): NewChange {
  const by = { by: null, via: 'service', sessionId: null, writtenAt: null } as const;
  const what = { fields: [], standing: null, anchor: null };
  return { at: isoTime(at), project, source, trigger: name, kind, reason, ...by, ...what };
}

interface Guarded extends TriggerKey {
  /** Empty if unknown. */
  readonly hash: string;
}

function uncounting(db: Kysely<Tables>, given: Guarded) {
  const uncounted = db.updateTable('trigger_state').set(UNCOUNTED);
  return ofKey(uncounted.where(isGuarded(given.hash)), given);
}

const COUNTED = sql<boolean>`(paused_at is not null or consecutive_failures <> 0)`;

// Most triggers have no failures, and their rows are not written.
const selectCounted = prepared((db, given: Guarded) =>
  ofKey(
    db.selectFrom('trigger_state').select('name').where(COUNTED).where(isGuarded(given.hash)),
    given,
  ).compile(),
);

const resumeGuarded = prepared((db, given: Guarded) =>
  uncounting(db, given).where('paused_at', 'is not', null).returning('name').compile(),
);

const uncountGuarded = prepared((db, given: Guarded) => uncounting(db, given).compile());

async function countSuccess(tx: Transaction<Tables>, end: CountedEnd): Promise<boolean> {
  const { key, at } = end;
  const guarded = { ...key, hash: end.definitionHash ?? '' };
  if ((await selectCounted(tx, guarded)).length === 0) return false;
  if ((await resumeGuarded(tx, guarded)).length === 0) {
    await uncountGuarded(tx, guarded);
    return false;
  }
  await inserted(tx, [pauseChange(key, 'resumed', at, 'A run succeeded.')]);
  return true;
}

async function countFailure(tx: Transaction<Tables>, end: CountedEnd): Promise<void> {
  const { key, at } = end;
  const counted = tx
    .updateTable('trigger_state')
    .set((eb) => ({ consecutive_failures: eb('consecutive_failures', '+', 1) }))
    .where(isGuarded(end.definitionHash ?? ''))
    .returning(['consecutive_failures', 'pause_after', 'paused_at']);
  const state = await ofKey(counted, key).executeTakeFirst();
  if (state === undefined || state.pause_after === null || state.paused_at !== null) return;
  if (state.consecutive_failures < state.pause_after) return;
  const paused = { paused_at: isoTime(at), paused_reason: reasonOf(state.consecutive_failures) };
  await ofKey(tx.updateTable('trigger_state').set(paused), key).execute();
  await inserted(tx, [pauseChange(key, 'paused', at, paused.paused_reason)]);
}

function reasonOf(failures: number): string {
  return failures === 1
    ? 'The trigger was paused after 1 failure.'
    : `The trigger was paused after ${failures} failures in a row.`;
}
