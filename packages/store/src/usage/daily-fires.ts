import type { TriggerKey } from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { columnsOf } from '../claims/trigger-columns.ts';
import { only, prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import type { DailyLimits } from '../turns/turn.ts';

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

// The value consists of the day (ten characters), a space, and the count.
const countOfInstance = prepared((db, given: { readonly key: string; readonly day: string }) =>
  db
    .insertInto('instance')
    .values({ key: given.key, value: sql<string>`${given.day} || ' 1'` })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value: sql<string>`${given.day} || ' ' || (case when substr(instance.value, 1, 10) = ${given.day} then cast(substr(instance.value, 12) as integer) else 0 end + 1)`,
      }),
    )
    .returning('value')
    .compile(),
);

/**
 * Counts a start on its day, for its trigger and for all together.
 *
 * @throws StoreError `limit_spent` if the limit is reached; the transaction must be rolled back
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

/** The key for the number of starts of all triggers on a day. */
export const FIRES = 'fires';

async function countOfAll(tx: Transaction<Tables>, day: string): Promise<number> {
  const { value } = only(await countOfInstance(tx, { key: FIRES, day }), 'the fires of a day');
  return Number(value.slice(day.length));
}

function spent(of: 'trigger' | 'all'): StoreError {
  return new StoreError('limit_spent', 'The daily limit of runs is reached.', { facts: { of } });
}
