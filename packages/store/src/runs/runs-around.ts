import { isoTime } from '@svc/core';
import type { Run, TriggerKey } from '@svc/records';
import type { Kysely } from 'kysely';
import { ofKey } from '../claims/trigger-columns.ts';
import { runOf } from '../database/records.ts';
import type { Tables } from '../database/schema.ts';

/** A period, in milliseconds since the epoch, both ends included. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
}

// Rows cover consecutive slots. Only after the clock was set back do several rows cover the same slot.
const MOST_SLOTS = 32;
const MOST_OTHERS = 20;

/** The runs of a trigger with a slot in a period, newest slot first, then those without a slot that were claimed in it. */
export async function runsAround(
  db: Kysely<Tables>,
  key: TriggerKey,
  { from, until }: Stretch,
): Promise<readonly Run[]> {
  const all = ofKey(db.selectFrom('run').selectAll(), key);
  const slots = await all
    .where('scheduled_for', '<=', isoTime(until))
    .orderBy('scheduled_for', 'desc')
    .limit(MOST_SLOTS)
    .execute();
  const others = await all
    .where('scheduled_for', 'is', null)
    .where('claimed_at', '>=', isoTime(from))
    .where('claimed_at', '<=', isoTime(until))
    .orderBy('claimed_at')
    .limit(MOST_OTHERS)
    .execute();
  const start = isoTime(from);
  return [
    ...slots.filter((row) => (row.scheduled_until ?? row.scheduled_for ?? '') >= start),
    ...others,
  ].map(runOf);
}
