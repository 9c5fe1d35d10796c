import { isoTime } from '@svc/core';
import type { SlotCursor, TriggerKey } from '@svc/records';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import { columnsOf } from './trigger-columns.ts';

/** One recurrence to be durably armed. */
export interface Arming {
  readonly key: TriggerKey;
  readonly cursor: SlotCursor;
  readonly definitionHash: string;
}

/** Writes cursors with one statement for all of them, which is one transaction. */
export async function armTogether(db: Kysely<Tables>, batch: readonly Arming[]): Promise<void> {
  const rows = batch.map(({ key, cursor, definitionHash }) => ({
    ...columnsOf(key),
    schedule_hash: cursor.scheduleHash,
    definition_hash: definitionHash,
    anchor: isoTime(cursor.anchor),
    armed_since: isoTime(cursor.armedSince),
    cursor: isoTime(cursor.cursor),
  }));
  await db.executeQuery(CompiledQuery.raw(ARM, [JSON.stringify(rows)]));
}

const COLUMNS = ['schedule_hash', 'definition_hash', 'anchor', 'armed_since', 'cursor'];
const NAMES = ['project', 'source', 'name'];
const fieldOf = (column: string): string => `value ->> '${column}'`;

// The condition keeps the parser from taking "on conflict" for the beginning of a join.
const ARM = `insert into trigger_state(${[...NAMES, ...COLUMNS].join(', ')})
  select ${[...NAMES, ...COLUMNS].map(fieldOf).join(', ')} from json_each(?) where true
  on conflict(project, source, name) do update
  set ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Forgets schedule, anchor and cursor of all the keys with one statement. */
export async function disarmTogether(
  db: Kysely<Tables>,
  keys: readonly TriggerKey[],
): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(DISARM, [JSON.stringify(keys.map(columnsOf))]));
}

const DISARM = `with gone as (select ${NAMES.map((name) => `${fieldOf(name)} as ${name}`).join(', ')} from json_each(?))
  update trigger_state set schedule_hash = null, anchor = null, armed_since = null, cursor = null
  from gone where trigger_state.project = gone.project and trigger_state.source = gone.source
    and trigger_state.name = gone.name`;
