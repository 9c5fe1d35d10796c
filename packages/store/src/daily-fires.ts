import type { TriggerKey } from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { StoreError } from './errors.ts';
import type { Tables } from './schema.ts';
import { columnsOf } from './trigger-columns.ts';
import type { DailyLimits } from './turn.ts';

/**
 * Counts a fire on its day, for its trigger and for all together.
 *
 * @throws StoreError `limit_spent`, where it would be one too many; the transaction is to be given up
 */
export async function countFire(
  tx: Transaction<Tables>,
  key: TriggerKey,
  { day, ofTrigger, ofAll }: DailyLimits,
): Promise<void> {
  const { fires_today: fires } = await tx
    .insertInto('trigger_state')
    .values({ ...columnsOf(key), day, fires_today: 1 })
    .onConflict((conflict) =>
      conflict.columns(['project', 'source', 'name']).doUpdateSet({
        fires_today: sql<number>`case when trigger_state.day = ${day} then trigger_state.fires_today + 1 else 1 end`,
        day,
      }),
    )
    .returning('fires_today')
    .executeTakeFirstOrThrow();
  if (ofTrigger !== null && fires > ofTrigger) throw spent('trigger');
  if ((await countOfAll(tx, day)) > (ofAll ?? Number.POSITIVE_INFINITY)) throw spent('all');
}

const KEY = 'fires';

async function countOfAll(tx: Transaction<Tables>, day: string): Promise<number> {
  const row = await tx
    .selectFrom('instance')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst();
  const [countedDay, counted] = row?.value.split(' ') ?? [];
  const count = countedDay === day ? Number(counted) + 1 : 1;
  const value = `${day} ${count}`;
  await tx
    .insertInto('instance')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
  return count;
}

function spent(of: 'trigger' | 'all'): StoreError {
  return new StoreError('limit_spent', 'The daily limit of fires is spent.', { facts: { of } });
}
