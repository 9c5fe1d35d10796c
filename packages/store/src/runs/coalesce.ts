import type { Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';

interface TriggerColumns {
  readonly project: string;
  readonly source: string;
  readonly name: string;
}

// After the clock was set back, slots that ran may occur again, perhaps in a removed row.
async function wasPrunedBetween(
  tx: Transaction<Tables>,
  ofTrigger: TriggerColumns,
  after: string | null = null,
  before: string | null,
): Promise<boolean> {
  if (after === null || before === null) return false;
  const between = await tx
    .selectFrom('pruned_slot')
    .select('first_slot')
    .where((eb) => eb.and(ofTrigger))
    .where('first_slot', '<', before)
    .where('last_slot', '>', after)
    .limit(1)
    .executeTakeFirst();
  return between !== undefined;
}

/**
 * Joins an ended row of slots that did not run with the row of the slots directly before it, if that ended the same way
 * under the same arming. Returns the id of the row that now has the slots.
 */
export async function coalesceIntoPrevious(
  tx: Transaction<Tables>,
  runId: string,
): Promise<string> {
  const row = await tx
    .selectFrom('run')
    .selectAll()
    .where('id', '=', runId)
    .executeTakeFirstOrThrow();
  const ofTrigger = { project: row.project, source: row.source, name: row.name };
  const previous = await tx
    .selectFrom('run')
    .select(['id', 'outcome', 'state', 'slot_count', 'scheduled_until'])
    .where((eb) => eb.and(ofTrigger))
    .where('scheduled_for', '<', row.scheduled_for ?? '')
    .orderBy('scheduled_for', 'desc')
    .limit(1)
    .executeTakeFirst();
  const state = await tx
    .selectFrom('trigger_state')
    .select(['armed_since', 'cursor'])
    .where((eb) => eb.and(ofTrigger))
    .executeTakeFirst();
  // If the cursor is earlier, the clock was set back after the claim, and slots before it are still to come.
  const isNewest = (state?.cursor ?? '') >= (row.scheduled_for ?? '');
  const joins =
    isNewest &&
    !(await wasPrunedBetween(tx, ofTrigger, previous?.scheduled_until, row.scheduled_for)) &&
    previous?.state === 'ended' &&
    previous.outcome === row.outcome &&
    (previous.scheduled_until ?? '') > (state?.armed_since ?? '');
  const standing = joins ? previous.id : runId;
  if (joins) {
    await tx
      .updateTable('run')
      .set({
        scheduled_until: row.scheduled_until,
        slot_count: previous.slot_count + row.slot_count,
        ended_at: row.ended_at,
        reason: row.reason,
        notified: 0,
      })
      .where('id', '=', previous.id)
      .execute();
    await tx.deleteFrom('run').where('id', '=', runId).execute();
  }
  await tx
    .updateTable('trigger_state')
    .set({ last_run_id: standing })
    .where((eb) => eb.and(ofTrigger))
    .execute();
  return standing;
}
