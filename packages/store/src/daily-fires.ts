import type { TriggerKey } from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { StoreError } from './errors.ts';
import { only, prepared } from './prepared.ts';
import type { Tables } from './schema.ts';
import { columnsOf } from './trigger-columns.ts';
import type { DailyLimits } from './turn.ts';

const countOfTrigger = prepared((db, given: TriggerKey & { readonly day: string }) =>
  db
    .insertInto('trigger_state')
    .values({ ...columnsOf(given), day: given.day, fires_today: 1 })
    .onConflict((conflict) =>
      conflict.columns(['project', 'source', 'name']).doUpdateSet({
        fires_today: sql<number>`case when trigger_state.day = ${given.day} then trigger_state.fires_today + 1 else 1 end`,
        day: given.day,
      }),
    )
    .returning('fires_today')
    .compile(),
);

const selectCount = prepared((db, { key }: { readonly key: string }) =>
  db.selectFrom('instance').select('value').where('key', '=', key).compile(),
);

const keepCount = prepared((db, given: { readonly key: string; readonly value: string }) =>
  db
    .insertInto('instance')
    .values({ key: given.key, value: given.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: given.value }))
    .compile(),
);

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
  const { fires_today: fires } = only(
    await countOfTrigger(tx, { ...key, day }),
    'the fires of a day',
  );
  if (ofTrigger !== null && fires > ofTrigger) throw spent('trigger');
  if ((await countOfAll(tx, day)) > (ofAll ?? Number.POSITIVE_INFINITY)) throw spent('all');
}

const KEY = 'fires';

async function countOfAll(tx: Transaction<Tables>, day: string): Promise<number> {
  const [row] = await selectCount(tx, { key: KEY });
  const [countedDay, counted] = row?.value.split(' ') ?? [];
  const count = countedDay === day ? Number(counted) + 1 : 1;
  const value = `${day} ${count}`;
  await keepCount(tx, { key: KEY, value });
  return count;
}

function spent(of: 'trigger' | 'all'): StoreError {
  return new StoreError('limit_spent', 'The daily limit of fires is spent.', { facts: { of } });
}
