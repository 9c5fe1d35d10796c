import { isoTime } from '@svc/core';
import {
  type RunId,
  type RunOutcome,
  type SlotsAhead,
  type Slug,
  type TakeBack,
  type TriggerId,
  type TriggerKey,
  triggerId,
} from '@svc/records';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { uncountOutcome } from '../alerts/outcome-days.ts';
import { inserted } from '../changes/change-rows.ts';
import { isEmbedded } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';
import { ofKey } from './trigger-columns.ts';

type Tx = Transaction<Tables>;

// The newest slot that was decided before the clock was set back; later slots have no row.
const MARK = 'clock.ahead';

/**
 * Decisions of a project that are later than `now` or than the cursor of the trigger; empty unless the clock was set
 * back.
 */
export async function slotsAhead(
  db: Kysely<Tables>,
  project: Slug,
  now: number,
): Promise<ReadonlyMap<TriggerId, readonly SlotsAhead[]>> {
  const from = isoTime(now);
  const found = new Map<TriggerId, SlotsAhead[]>();
  if (!(await isAhead(db, project, from))) return found;
  // Makes SQLite start from the triggers and look up the rows of each.
  const joined = isEmbedded(db) ? sql`cross join` : sql`join`;
  const { rows } = await sql<AheadRow>`
    with known as materialized (
      select project, source, name, case when cursor < ${from} then cursor else ${from} end as since
      from trigger_state
      where project = ${project})
    select run.source, run.name, run.id, scheduled_for as first, scheduled_until as last,
      slot_count as count, ${RAN} as ran
    from known ${joined} run on run.project = known.project and run.source = known.source
      and run.name = known.name and scheduled_until > since and scheduled_for >= coalesce((
        select max(scheduled_for) from run as before where before.project = known.project
          and before.source = known.source and before.name = known.name
          and before.scheduled_for <= since), '')
    union all
    select known.source, known.name, null, first_slot, last_slot, 0, 1
    from known ${joined} pruned_slot as pruned on pruned.project = known.project
      and pruned.source = known.source and pruned.name = known.name and last_slot > since
    order by first`.execute(db);
  for (const row of rows) {
    const source = row.source as TriggerKey['source'];
    const id = triggerId({ project, source, name: row.name });
    const slots = {
      runId: row.id,
      from: Date.parse(row.first),
      until: Date.parse(row.last),
      count: row.count,
      ran: row.ran === 1,
    };
    const before = found.get(id);
    if (before === undefined) found.set(id, [slots]);
    else before.push(slots);
  }
  return found;
}

interface AheadRow {
  readonly source: string;
  readonly name: string;
  /** null for slots whose runs were removed. */
  readonly id: string | null;
  readonly first: string;
  readonly last: string;
  readonly count: number;
  readonly ran: number;
}

/** 1 for a run that started or may still start; 0 for slots that were missed or skipped at once. */
export const RAN: RawBuilder<number> = sql`case when state = 'ended' and turn_id is null
  and (outcome = 'missed' or outcome like 'skipped%') then 0 else 1 end`;

// A trigger that is not armed has no cursor, so its newest slots are compared.
async function isAhead(db: Kysely<Tables>, project: Slug, now: string): Promise<boolean> {
  const { rows } = await sql<{ ahead: number }>`select
    exists (select 1 from trigger_state as known where project = ${project} and (cursor > ${now}
      or cursor < (select value from instance where key = ${MARK})
      or (cursor is null and ((select scheduled_until from run where run.project = known.project
          and run.source = known.source and run.name = known.name and scheduled_for is not null
          order by scheduled_for desc limit 1) > ${now}
        or exists (select 1 from pruned_slot as pruned where pruned.project = known.project
          and pruned.source = known.source and pruned.name = known.name
          and last_slot > ${now}))))) as ahead`.execute(db);
  return rows[0]?.ahead === 1;
}

/** Removes rows of future slots that did not run, and resets their cursors, in one transaction. */
export async function takeBack(db: Kysely<Tables>, batch: readonly TakeBack[]): Promise<void> {
  if (batch.length === 0) return;
  await db.transaction().execute(async (tx) => {
    for (const one of batch) await takeBackOne(tx, one);
    await mark(tx, isoTime(Math.max(...batch.map(({ decidedUntil }) => decidedUntil))));
    await inserted(tx, batch.filter(({ reason }) => reason !== null).map(changeOf));
  });
}

async function takeBackOne(tx: Tx, { key, now, cuts }: TakeBack): Promise<void> {
  const at = isoTime(now);
  const back = tx
    .updateTable('trigger_state')
    .set({
      cursor: at,
      armed_since: sql<string>`case when armed_since > ${at} then ${at} else armed_since end`,
    })
    .where('cursor', '>', at);
  await ofKey(back, key).execute();
  let removed = false;
  for (const { slots, kept } of cuts) {
    if (slots.runId === null) {
      await openPruned(tx, key, slots, kept);
      continue;
    }
    removed = (await cutRow(tx, key, { ...slots, runId: slots.runId }, kept)) || removed;
  }
  if (removed) await repointLastRun(tx, key);
}

/** Shortens or removes a row and its counts if the row is unchanged; returns whether it was removed. */
async function cutRow(
  tx: Tx,
  key: TriggerKey,
  { runId, until, count }: SlotsAhead & { readonly runId: RunId },
  kept: { readonly until: number; readonly count: number } | null,
): Promise<boolean> {
  const isSame = { id: runId, scheduled_until: isoTime(until), slot_count: count };
  const ended = ['outcome', 'ended_at'] as const;
  const [row] =
    kept === null
      ? await tx
          .deleteFrom('run')
          .where((eb) => eb.and(isSame))
          .returning(ended)
          .execute()
      : await tx
          .updateTable('run')
          .set({ scheduled_until: isoTime(kept.until), slot_count: kept.count })
          .where((eb) => eb.and(isSame))
          .returning(ended)
          .execute();
  if (row === undefined) return false;
  const outcome = row.outcome as RunOutcome;
  const at = Date.parse(row.ended_at ?? '');
  await uncountOutcome(tx, { key, outcome, slots: count - (kept?.count ?? 0), at });
  return kept === null;
}

async function openPruned(
  tx: Tx,
  key: TriggerKey,
  slots: SlotsAhead,
  kept: { readonly until: number } | null,
): Promise<void> {
  const first = isoTime(slots.from);
  if (kept === null) {
    await ofKey(tx.deleteFrom('pruned_slot').where('first_slot', '=', first), key).execute();
    return;
  }
  const cut = tx.updateTable('pruned_slot').set({ last_slot: isoTime(kept.until) });
  await ofKey(cut.where('first_slot', '=', first), key).execute();
}

async function repointLastRun(tx: Tx, { project, source, name }: TriggerKey): Promise<void> {
  await sql`update trigger_state set last_run_id = (
      select max(id) from run where project = ${project} and source = ${source} and name = ${name})
    where project = ${project} and source = ${source} and name = ${name} and last_run_id is not null
      and not exists (select 1 from run where id = trigger_state.last_run_id)`.execute(tx);
}

async function mark(tx: Tx, until: string): Promise<void> {
  await sql`insert into instance(key, value) values (${MARK}, ${until})
    on conflict(key) do update set value = excluded.value
    where instance.value < excluded.value`.execute(tx);
}

function changeOf({ key, now, reason }: TakeBack) {
  const { project, source, name: trigger } = key;
  return {
    ...{ at: isoTime(now), project, source, trigger, kind: 'clock_set_back' as const },
    ...{ by: null, via: 'service' as const, sessionId: null, writtenAt: null },
    ...{ reason, fields: [], standing: null, anchor: null },
  };
}
