import { isoTime, newId } from '@svc/core';
import { type SlotClaim, type SlotVerdict, triggerId } from '@svc/records';
import { CompiledQuery, type Transaction } from 'kysely';
import { placesOf } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';

type Tx = Transaction<Tables>;

/** Whether claims can be decided together: only runs, and each trigger at most once, so that their order does not matter. */
export function areIndependent(batch: readonly SlotClaim[]): boolean {
  if (batch.length < 2 || batch.some((claim) => claim.as !== 'run')) return false;
  return new Set(batch.map((claim) => triggerId(claim.key))).size === batch.length;
}

/**
 * Decides independent claims with three statements in total instead of three for each. Bursts of thousands of slots are
 * claimed here, so the SQL is written by hand and kept short.
 */
export async function claimTogether(
  tx: Tx,
  batch: readonly SlotClaim[],
): Promise<readonly SlotVerdict[]> {
  const moved = await moveCursors(tx, batch);
  const due = batch
    .filter((claim) => moved.has(triggerId(claim.key)))
    .map((claim) => ({ claim, runId: newId() }));
  const written = due.length === 0 ? new Set<string>() : await insertRuns(tx, due);
  const won = due.filter(({ runId }) => written.has(runId));
  if (won.length > 0) await rememberRuns(tx, won);
  const runIds = new Map(won.map(({ claim, runId }) => [triggerId(claim.key), runId]));
  return batch.map((claim) => {
    const runId = runIds.get(triggerId(claim.key));
    return runId === undefined ? { won: false } : { won: true, runId };
  });
}

interface Due {
  readonly claim: SlotClaim;
  readonly runId: string;
}

const DUE = ['text', 'text', 'text', 'text', 'text', 'text'] as const;
const REMEMBERED = ['text', 'text', 'text', 'text'] as const;
const RUN = [
  ...(['text', 'text', 'text', 'text', 'text', 'text', 'text', 'integer'] as const),
  ...(['text', 'integer', 'integer', 'text'] as const),
];

async function moveCursors(tx: Tx, batch: readonly SlotClaim[]): Promise<ReadonlySet<string>> {
  const text = `with due(project, source, name, hash, slot, until) as (values ${placesOf(tx, batch.length, DUE)})
    update trigger_state set cursor = due.until from due
    where trigger_state.project = due.project and trigger_state.source = due.source
      and trigger_state.name = due.name and trigger_state.cursor < due.slot
      and trigger_state.schedule_hash = due.hash
    returning trigger_state.project, trigger_state.source, trigger_state.name`;
  const values = batch.flatMap(({ key, scheduleHash, from, until }) => [
    key.project,
    key.source,
    key.name,
    scheduleHash,
    isoTime(from),
    isoTime(until),
  ]);
  const result = await tx.executeQuery<{ project: string; source: string; name: string }>(
    CompiledQuery.raw(text, values),
  );
  return new Set(result.rows.map((row) => `${row.project}/${row.source}/${row.name}`));
}

async function insertRuns(tx: Tx, due: readonly Due[]): Promise<ReadonlySet<string>> {
  const text = `insert into run(id, project, source, name, cause, scheduled_for, scheduled_until,
      slot_count, state, catch_up, late_ms, claimed_at)
    select * from (values ${placesOf(tx, due.length, RUN)}) as due
    where not exists (select 1 from pruned_slot
      where project = due.column2 and source = due.column3 and name = due.column4
        and first_slot <= due.column6 and last_slot >= due.column6)
    on conflict do nothing returning id`;
  const values = due.flatMap(({ claim, runId }) => {
    const { key } = claim;
    const slot = isoTime(claim.from);
    return [
      ...[runId, key.project, key.source, key.name],
      ...['schedule', slot, isoTime(claim.until), claim.count, 'queued', claim.catchUp ? 1 : 0],
      Math.max(0, Math.round(claim.lateMs)),
      isoTime(claim.claimedAt),
    ];
  });
  const result = await tx.executeQuery<{ id: string }>(CompiledQuery.raw(text, values));
  return new Set(result.rows.map((row) => row.id));
}

async function rememberRuns(tx: Tx, won: readonly Due[]): Promise<void> {
  const text = `with due(project, source, name, id) as (values ${placesOf(tx, won.length, REMEMBERED)})
    update trigger_state set last_run_id = due.id from due
    where trigger_state.project = due.project and trigger_state.source = due.source
      and trigger_state.name = due.name`;
  const values = won.flatMap(({ claim: { key }, runId }) => [
    key.project,
    key.source,
    key.name,
    runId,
  ]);
  await tx.executeQuery(CompiledQuery.raw(text, values));
}
