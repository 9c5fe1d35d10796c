import { isoTime } from '@svc/core';
import { type ChangeKind, FORMER_CHANGE_KINDS } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { isEmbedded, laterOf } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';

/** Which changes of triggers retention keeps. A change that is still in effect is always kept. */
export interface ChangeRule {
  /** Changes that were superseded before this instant (milliseconds) are removed; null: none. */
  readonly since: number | null;
  /** Number of newest changes to keep per trigger; null: all. */
  readonly keep: number | null;
}

/** Result of one step. */
export interface PrunedChanges {
  readonly changes: number;
  /** Where the next step continues; null at the end. */
  readonly next: number | null;
}

// A change is in effect until the next change of the same kind.
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
  unconfirmed: 'file',
  confirmed: 'file',
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
  /** When the next change of the same kind took effect; null if this one is kept. */
  readonly superseded: string | null;
}

/** Examines `limit` changes after a position, and removes those that the rule does not keep. */
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

// Changes of the same trigger, of the same file, or of everything. PostgreSQL does not use an index for `is not
// distinct from`.
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

// Changes before that instant can no longer be reported.
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
