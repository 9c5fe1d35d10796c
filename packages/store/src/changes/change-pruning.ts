import { isoTime } from '@svc/core';
import { type ChangeKind, FORMER_CHANGE_KINDS } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { isEmbedded, laterOf } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';

/** Which changes of triggers stay. What holds stays in any case, however old it is. */
export interface ChangeRule {
  /** Those that did not hold any more before this instant go (milliseconds); null: none of them. */
  readonly since: number | null;
  /** So many of the newest of each trigger stay; null: all of them. */
  readonly keep: number | null;
}

/** What one step has removed. */
export interface PrunedChanges {
  readonly changes: number;
  /** Where to go on; null where everything has been looked at. */
  readonly next: number | null;
}

// A change holds until the next one that is about the same.
const ABOUT: Readonly<Record<ChangeKind, string>> = {
  defined: 'definition',
  changed: 'definition',
  enabled: 'definition',
  disabled: 'definition',
  removed: 'definition',
  invalid: 'definition',
  fixed: 'definition',
  clock_set_back: 'clock',
  unreadable: 'file',
  readable: 'file',
  armed: 'arming',
  disarmed: 'arming',
  not_armed: 'arming',
  paused: 'pause',
  resumed: 'pause',
};

const CASES = [
  ...Object.entries(ABOUT),
  ...Object.entries(FORMER_CHANGE_KINDS).map(([former, kind]) => [former, ABOUT[kind]] as const),
].map(([kind, about]) => `when '${kind}' then '${about}'`);

const aboutOf = (table: string) => sql.raw(`case ${table}.kind ${CASES.join(' ')} end`);

interface Looked {
  readonly seq: number;
  readonly project: string | null;
  readonly source: string | null;
  readonly name: string | null;
  /** From when the next change about the same holds; null where this one stays. */
  readonly superseded: string | null;
}

/** Looks at so many changes after a place, and removes those that need not stay. */
export async function pruneChanges(
  db: Kysely<Tables>,
  rule: ChangeRule,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<PrunedChanges> {
  return db.transaction().execute(async (tx) => {
    const looked = await lookAt(tx, rule, after, limit);
    const gone = looked.filter(({ superseded }) => superseded !== null);
    if (gone.length > 0) {
      const seqs = gone.map(({ seq }) => seq);
      await tx.deleteFrom('trigger_change').where('seq', 'in', seqs).execute();
      for (const each of gone) await noteGone(tx, each);
    }
    const last = looked.at(-1);
    return { changes: gone.length, next: looked.length < limit || !last ? null : last.seq };
  });
}

// Those about the same trigger, the same file, or everything. PostgreSQL finds none of them by an index where it is to take
// nulls for equal.
const OF_SAME = {
  embedded: sql`later.project is one.project and later.source is one.source and later.name is one.name`,
  server: sql`(one.name is not null and later.project = one.project and later.source = one.source
      and later.name = one.name
    or one.name is null and later.project = one.project and later.source is null
    or one.project is null and later.project is null)`,
};

async function lookAt(
  tx: Transaction<Tables>,
  { since, keep }: ChangeRule,
  after: number,
  limit: number,
): Promise<readonly Looked[]> {
  const before = isoTime(since ?? 0);
  const ofSame = isEmbedded(tx) ? OF_SAME.embedded : OF_SAME.server;
  const later = sql`trigger_change later where ${ofSame} and later.seq > one.seq`;
  const beyond =
    keep === null
      ? sql`1 = 0`
      : sql`(one.name is not null
          and exists (select 1 from ${later} limit 1 offset ${Math.max(0, keep - 1)}))`;
  const same = sql`${later} and ${aboutOf('later')} = ${aboutOf('one')}`;
  const { rows } = await sql<Looked>`
    select one.seq, one.project, one.source, one.name, case
      when one.at <= ${before} and exists (select 1 from ${same} and later.at <= ${before})
        or ${beyond}
      then (select later.at from ${same} order by later.seq limit 1) end as superseded
    from trigger_change one where one.seq > ${after} order by one.seq limit ${limit}`.execute(tx);
  return rows;
}

// What was about a trigger before that instant cannot be told any more.
async function noteGone(
  tx: Transaction<Tables>,
  { project, source, name, superseded }: Looked,
): Promise<void> {
  if (project === null || source === null || name === null || superseded === null) return;
  await tx
    .insertInto('trigger_state')
    .values({ project, source, name, changes_from: superseded })
    .onConflict((conflict) =>
      conflict.columns(['project', 'source', 'name']).doUpdateSet({
        changes_from: laterOf('trigger_state.changes_from', sql`excluded.changes_from`),
      }),
    )
    .execute();
}
