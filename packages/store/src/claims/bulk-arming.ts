import { isoTime } from '@svc/core';
import type { SlotCursor, TriggerKey } from '@svc/records';
import { CompiledQuery, type Kysely } from 'kysely';
import { placesOf } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';

/** A recurrence to be armed. */
export interface Arming {
  readonly key: TriggerKey;
  readonly cursor: SlotCursor;
  readonly definitionHash: string;
}

/** Writes cursors in one transaction, with one statement for up to 2,000 of them. */
export async function armTogether(db: Kysely<Tables>, batch: readonly Arming[]): Promise<void> {
  await inChunks(db, batch, (some) => {
    const text = `insert into trigger_state(project, source, name, ${COLUMNS.join(', ')})
      values ${placesOf(db, some.length, [...NAMES, ...COLUMNS.map(() => 'text' as const)])}
      on conflict(project, source, name) do update
      set ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;
    const values = some.flatMap(({ key, cursor, definitionHash }) => [
      ...namesOf(key),
      cursor.scheduleHash,
      definitionHash,
      isoTime(cursor.anchor),
      isoTime(cursor.armedSince),
      isoTime(cursor.cursor),
    ]);
    return CompiledQuery.raw(text, values);
  });
}

const NAMES = ['text', 'text', 'text'] as const;
const COLUMNS = ['schedule_hash', 'definition_hash', 'anchor', 'armed_since', 'cursor'];

/** Deletes schedule, anchor and cursor of all keys in one transaction, with one statement for up to 2,000 of them. */
export async function disarmTogether(
  db: Kysely<Tables>,
  keys: readonly TriggerKey[],
): Promise<void> {
  await inChunks(db, keys, (some) => {
    const text = `with gone(project, source, name) as (values ${placesOf(db, some.length, NAMES)})
      update trigger_state set schedule_hash = null, anchor = null, armed_since = null, cursor = null
      from gone where trigger_state.project = gone.project and trigger_state.source = gone.source
        and trigger_state.name = gone.name`;
    return CompiledQuery.raw(text, some.flatMap(namesOf));
  });
}

// A statement has at most 32,766 values.
const CHUNK = 2000;

async function inChunks<T>(
  db: Kysely<Tables>,
  all: readonly T[],
  queryOf: (some: readonly T[]) => CompiledQuery,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let from = 0; from < all.length; from += CHUNK) {
      await tx.executeQuery(queryOf(all.slice(from, from + CHUNK)));
    }
  });
}

function namesOf({ project, source, name }: TriggerKey): string[] {
  return [project, source, name];
}
