import { newId } from '@svc/core';
import { type Change, FORMER_CHANGE_KINDS, type TriggerKey } from '@svc/records';
import type { Kysely, Selectable, SelectQueryBuilder, Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';

type ChangeRow = Selectable<Tables['trigger_change']>;

const CHUNK = 1000;

/** A change before it has an id; `by` and `via` determine whether a person made it. */
export type NewChange = Omit<Change, 'id' | 'person'>;

/** Inserts changes in order. */
export async function inserted(
  tx: Transaction<Tables>,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { newest } = await tx
    .selectFrom('trigger_change')
    .select(({ fn }) => fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow();
  const first = Number(newest ?? 0) + 1;
  const rows = changes.map((change, n): ChangeRow => {
    const { trigger, sessionId, writtenAt, fields, standing, ...rest } = change;
    return {
      ...rest,
      id: newId(),
      seq: first + n,
      name: trigger,
      session_id: sessionId,
      written_at: writtenAt,
      fields: JSON.stringify(fields),
      standing: standing === null ? null : JSON.stringify(standing),
    };
  });
  for (let from = 0; from < rows.length; from += CHUNK) {
    await tx
      .insertInto('trigger_change')
      .values(rows.slice(from, from + CHUNK))
      .execute();
  }
}

/** The changes of a trigger and of its file; with `everything` also those of all triggers. */
export function selectChanges(
  db: Kysely<Tables>,
  key: TriggerKey,
  everything: boolean,
): SelectQueryBuilder<Tables, 'trigger_change', ChangeRow> {
  return db
    .selectFrom('trigger_change')
    .selectAll()
    .where(({ eb, or, and }) =>
      or([
        and([
          eb('project', '=', key.project),
          eb('source', '=', key.source),
          eb('name', '=', key.name),
        ]),
        and([eb('project', '=', key.project), eb('source', 'is', null)]),
        ...(everything ? [eb('project', 'is', null)] : []),
      ]),
    );
}

// A person without a name is `user`.
function personOf(by: string | null, via: string): string | null {
  const isPersons = via === 'page' || via === 'cli' || via === 'rest';
  return isPersons && by !== 'user' ? by : null;
}

function kindOf(kind: string): Change['kind'] {
  const former: Readonly<Partial<Record<string, Change['kind']>>> = FORMER_CHANGE_KINDS;
  return former[kind] ?? (kind as Change['kind']);
}

/** Converts rows to changes. */
export function rowsOf(rows: readonly ChangeRow[]): Change[] {
  return rows.map(
    ({ seq: _, name, session_id, written_at, fields, standing, kind, via, source, ...rest }) => ({
      ...rest,
      source: source as Change['source'],
      kind: kindOf(kind),
      via: via as Change['via'],
      person: personOf(rest.by, via),
      trigger: name,
      sessionId: session_id,
      writtenAt: written_at,
      fields: JSON.parse(fields) as Change['fields'],
      standing: standing === null ? null : (JSON.parse(standing) as Change['standing']),
    }),
  );
}
