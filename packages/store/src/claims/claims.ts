import { isoTime, newId } from '@svc/core';
import {
  type SlotClaim,
  type SlotCursor,
  type SlotsAhead,
  type SlotVerdict,
  type Slug,
  type TakeBack,
  type TriggerId,
  type TriggerKey,
  triggerId,
} from '@svc/records';
import type { Kysely, Transaction } from 'kysely';
import { countOutcome } from '../alerts/outcome-days.ts';
import { prepared } from '../database/prepared.ts';
import type { NewRunRow, Tables } from '../database/schema.ts';
import { wasPruned } from '../retention/pruned-slots.ts';
import { coalesceIntoPrevious } from '../runs/coalesce.ts';
import { slotsAhead, takeBack } from './ahead.ts';
import { type Arming, armTogether, disarmTogether } from './bulk-arming.ts';
import { areIndependent, claimTogether } from './bulk-claims.ts';
import { columnsOf, ofKey } from './trigger-columns.ts';

/** Durable record of what is armed and which slots are decided. */
export interface Claims {
  /** The armed triggers of a project. */
  loadProject(project: Slug): Promise<ReadonlyMap<TriggerId, SlotCursor>>;
  /** The armed triggers of several projects; projects without any are omitted. */
  loadProjects(
    projects: readonly Slug[],
  ): Promise<ReadonlyMap<Slug, ReadonlyMap<TriggerId, SlotCursor>>>;
  /** Writes cursors; durable when it resolves. */
  arm(batch: readonly Arming[]): Promise<void>;
  /** Deletes schedule, anchor and cursor; other records of the trigger are kept. */
  disarm(keys: readonly TriggerKey[]): Promise<void>;
  /**
   * Decides slots in order, in one transaction: each run is written together with the cursor after it. A claim is lost
   * if its slot is at or before the cursor, already has a row, or belongs to a schedule that is no longer armed; later
   * claims of the same trigger are then lost too.
   */
  claim(batch: readonly SlotClaim[]): Promise<readonly SlotVerdict[]>;
  /**
   * Decisions of a project that are later than `now` or than the cursor of the trigger, whichever is earlier, in order;
   * empty unless the clock was set back.
   */
  ahead(project: Slug, now: number): Promise<ReadonlyMap<TriggerId, readonly SlotsAhead[]>>;
  /**
   * Removes rows of future slots that did not run, resets cursors later than `now` to it, and records that, in one
   * transaction. A row that has changed since it was read is kept.
   */
  takeBack(batch: readonly TakeBack[]): Promise<void>;
}

type Tx = Transaction<Tables>;

export function createClaims(db: Kysely<Tables>): Claims {
  return {
    async loadProject(project) {
      const rows = await selectArmed(db).where('project', '=', project).execute();
      return cursorsOf(rows);
    },
    async loadProjects(projects) {
      if (projects.length === 0) return new Map();
      const rows = await selectArmed(db).where('project', 'in', projects).execute();
      const found = new Map<Slug, typeof rows>();
      for (const row of rows) {
        const own = found.get(row.project);
        if (own === undefined) found.set(row.project, [row]);
        else own.push(row);
      }
      return new Map([...found].map(([project, own]) => [project, cursorsOf(own)]));
    },
    async arm(batch) {
      if (batch.length === 0) return;
      await armTogether(db, batch);
    },
    async disarm(keys) {
      if (keys.length === 0) return;
      await disarmTogether(db, keys);
    },
    async claim(batch) {
      const together = areIndependent(batch);
      return db
        .transaction()
        .execute((tx) => (together ? claimTogether(tx, batch) : claimInOrder(tx, batch)));
    },
    ahead: (project, now) => slotsAhead(db, project, now),
    takeBack: (batch) => takeBack(db, batch),
  };
}

async function claimInOrder(tx: Tx, batch: readonly SlotClaim[]): Promise<readonly SlotVerdict[]> {
  const verdicts: SlotVerdict[] = [];
  const lost = new Set<TriggerId>();
  for (const claim of batch) {
    const id = triggerId(claim.key);
    const verdict: SlotVerdict = lost.has(id) ? { won: false } : await claimOne(tx, claim);
    if (!verdict.won) lost.add(id);
    verdicts.push(verdict);
  }
  return verdicts;
}

function selectArmed(db: Kysely<Tables>) {
  return db
    .selectFrom('trigger_state')
    .select(['project', 'source', 'name', 'schedule_hash', 'anchor', 'armed_since', 'cursor'])
    .where('schedule_hash', 'is not', null);
}

function cursorsOf(
  rows: Awaited<ReturnType<ReturnType<typeof selectArmed>['execute']>>,
): Map<TriggerId, SlotCursor> {
  return new Map(
    rows.map((row) => [
      `${row.project}/${row.source}/${row.name}`,
      {
        scheduleHash: row.schedule_hash ?? '',
        anchor: Date.parse(row.anchor ?? ''),
        armedSince: Date.parse(row.armed_since ?? ''),
        cursor: Date.parse(row.cursor ?? ''),
      },
    ]),
  );
}

interface Move extends TriggerKey {
  readonly hash: string;
  readonly from: string;
  readonly until: string;
}

const moveCursor = prepared((db, move: Move) =>
  ofKey(
    db
      .updateTable('trigger_state')
      .set({ cursor: move.until })
      .where('cursor', '<', move.from)
      .where('schedule_hash', '=', move.hash)
      .returning('cursor'),
    move,
  ).compile(),
);

async function claimOne(tx: Tx, claim: SlotClaim): Promise<SlotVerdict> {
  const { key, scheduleHash: hash } = claim;
  const from = isoTime(claim.from);
  // Several guards are necessary: a cursor may be set back, and rows may be pruned, in which case the pruned slots are
  // on record.
  const moved = await moveCursor(tx, { ...key, hash, from, until: isoTime(claim.until) });
  if (moved.length === 0 || (await wasPruned(tx, key, from))) return { won: false };
  const runId = newId();
  const written = await tx
    .insertInto('run')
    .values(rowOf(runId, claim, from))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows === 0n) return { won: false };
  if (claim.as === 'missed') {
    const { count: slots, claimedAt: at } = claim;
    await countOutcome(tx, { key, outcome: 'missed', slots, at });
    return { won: true, runId: await coalesceIntoPrevious(tx, runId) };
  }
  await ofKey(tx.updateTable('trigger_state').set({ last_run_id: runId }), key).execute();
  return { won: true, runId };
}

function rowOf(id: string, claim: SlotClaim, from: string): NewRunRow {
  const missed = claim.as === 'missed';
  const claimedAt = isoTime(claim.claimedAt);
  return {
    id,
    ...columnsOf(claim.key),
    cause: 'schedule',
    scheduled_for: from,
    scheduled_until: isoTime(claim.until),
    slot_count: claim.count,
    event_id: null,
    state: missed ? 'ended' : 'queued',
    outcome: missed ? 'missed' : null,
    reason: claim.reason,
    session_id: null,
    turn_id: null,
    definition_hash: null,
    catch_up: claim.catchUp ? 1 : 0,
    late_ms: Math.max(0, Math.round(claim.lateMs)),
    by_kind: null,
    by_id: null,
    claimed_at: claimedAt,
    started_at: null,
    ended_at: missed ? claimedAt : null,
    runtime: null,
    model: null,
    cost_microusd: null,
    tokens_in: null,
    tokens_out: null,
  };
}
