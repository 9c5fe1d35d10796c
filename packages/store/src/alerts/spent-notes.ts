import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { SpentNote } from './alert-rows.ts';

const BEGIN = 'limited ';
const OPEN = '"notified":false}';

const keyOf = ({ limit, project, trigger }: SpentNote): string =>
  `${BEGIN}${limit} ${project ?? ''}/${trigger ?? ''}`;

// Lookups are by day and by `notified`, so the text starts with the day and ends with `notified`.
function textOf({ day, ...note }: SpentNote, notified: boolean): string {
  return JSON.stringify({ day, ...note, notified });
}

/** Records that a daily limit was reached; false if that is already recorded for its day. */
export async function noteSpent(db: Kysely<Tables>, note: SpentNote): Promise<boolean> {
  const value = textOf(note, false);
  const { rows } = await sql<{ key: string }>`
    insert into instance(key, value) values (${keyOf(note)}, ${value})
    on conflict(key) do update set value = excluded.value
      where instance.value not like ${`{"day":"${note.day}"%`} returning key`.execute(db);
  return rows.length > 0;
}

/** Reached limits without an alert so far, earliest first. */
export async function readPendingSpentLimits(db: Kysely<Tables>): Promise<readonly SpentNote[]> {
  const rows = await db
    .selectFrom('instance')
    .select('value')
    .where('key', 'like', `${BEGIN}%`)
    .where('value', 'like', `%${OPEN}`)
    .execute();
  const notes = rows.map(({ value }) => JSON.parse(value) as SpentNote & { notified?: boolean });
  return notes.map(({ notified: _, ...note }) => note).sort((a, b) => a.at - b.at);
}

/** Marks limits as notified, except those that were meanwhile recorded for another day. */
export async function markSpentTold(
  tx: Transaction<Tables>,
  notes: readonly SpentNote[],
): Promise<void> {
  for (const note of notes) {
    await tx
      .updateTable('instance')
      .set({ value: textOf(note, true) })
      .where('key', '=', keyOf(note))
      .where('value', '=', textOf(note, false))
      .execute();
  }
}

/** Deletes all records of reached limits. */
export async function forgetSpent(tx: Transaction<Tables>): Promise<void> {
  await tx.deleteFrom('instance').where('key', 'like', `${BEGIN}%`).execute();
}
