import { isoTime } from '@svc/core';
import type { SlotCursor, TriggerKey } from '@svc/records';
import { CompiledQuery, type Kysely } from 'kysely';
import { rows } from './bulk-claims.ts';
import type { Tables } from './schema.ts';

/** One recurrence to be durably armed. */
export interface Arming {
  readonly key: TriggerKey;
  readonly cursor: SlotCursor;
  readonly definitionHash: string;
}

/** Writes cursors with one statement for all of them, which is one transaction. */
export async function armTogether(db: Kysely<Tables>, batch: readonly Arming[]): Promise<void> {
  const text = `insert into trigger_state(project, source, name, ${COLUMNS.join(', ')})
    values ${rows(batch.length, 3 + COLUMNS.length)}
    on conflict(project, source, name) do update
    set ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  const values = batch.flatMap(({ key, cursor, definitionHash }) => [
    ...namesOf(key),
    cursor.scheduleHash,
    definitionHash,
    isoTime(cursor.anchor),
    isoTime(cursor.armedSince),
    isoTime(cursor.cursor),
  ]);
  await db.executeQuery(CompiledQuery.raw(text, values));
}

const COLUMNS = ['schedule_hash', 'definition_hash', 'anchor', 'armed_since', 'cursor'];
// A statement takes 32,766 values at most.
const CHUNK = 2000;

/** Forgets schedule, anchor and cursor of all the keys, with one statement for up to 2,000 of them. */
export async function disarmTogether(
  db: Kysely<Tables>,
  keys: readonly TriggerKey[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let from = 0; from < keys.length; from += CHUNK) {
      const some = keys.slice(from, from + CHUNK);
      const text = `with gone(project, source, name) as (values ${rows(some.length, 3)})
        update trigger_state set schedule_hash = null, anchor = null, armed_since = null, cursor = null
        from gone where trigger_state.project = gone.project and trigger_state.source = gone.source
          and trigger_state.name = gone.name`;
      await tx.executeQuery(CompiledQuery.raw(text, some.flatMap(namesOf)));
    }
  });
}

function namesOf({ project, source, name }: TriggerKey): string[] {
  return [project, source, name];
}
