import { isoTime } from '@svc/core';
import type { Actor, Cause, Run, RunId, RunOutcome, Slug, TriggerKey } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { countOutcome } from '../alerts/outcome-days.ts';
import { columnsOf, ofKey } from '../claims/trigger-columns.ts';
import { prepared } from '../database/prepared.ts';
import { runOf } from '../database/records.ts';
import type { NewRunRow, RunRow, Tables } from '../database/schema.ts';
import { coalesceIntoPrevious } from './coalesce.ts';
import { countEnd } from './failure-count.ts';
import { type RecentRun, readRecent } from './recent-runs.ts';
import { type AllRunsFilter, listAllRuns, listRuns, type RunFilter } from './run-list.ts';
import { runsAround, type Stretch } from './runs-around.ts';
import { readSigns, type TriggerSigns } from './trigger-signs.ts';

/** A run without a slot: Run now, or an event. */
export interface NewRun {
  readonly id: RunId;
  readonly key: TriggerKey;
  readonly cause: Cause;
  readonly by: Actor | null;
  readonly claimedAt: number;
}

/** A claimed run that waits for its start. */
export interface ClaimedRun {
  readonly id: RunId;
  readonly key: TriggerKey;
  readonly cause: Cause;
  readonly scheduledFor: number;
  readonly claimedAt: number;
  readonly catchUp: boolean;
  /** Whether it waits for the run before it. */
  readonly isHeld: boolean;
}

/** Runs: what fired, when, and how it ended. */
export interface Runs {
  get(project: Slug, id: RunId): Promise<Run | null>;
  /** Newest first; pass `next` as `cursor` to get the next page, null at the end. */
  list(project: Slug, filter: RunFilter): Promise<{ runs: Run[]; next: RunId | null }>;
  /** Runs of many projects, newest first. */
  listAll(filter: AllRunsFilter): Promise<{ runs: Run[]; next: RunId | null }>;
  /** A run of any project. */
  find(id: RunId): Promise<Run | null>;
  /** The newest run of every trigger of a project, by `source/name`. */
  newest(project: Slug): Promise<ReadonlyMap<string, Run>>;
  /** Up to `most` of the newest runs of every trigger of a project, newest first, by `source/name`. */
  recent(project: Slug, most: number): Promise<ReadonlyMap<string, readonly RecentRun[]>>;
  /** Which triggers of these projects need attention; `missedSince` is UTC ISO text. */
  signs(projects: readonly Slug[], missedSince: string): Promise<ReadonlyMap<Slug, TriggerSigns>>;
  /** The runs of a trigger with a slot in a period, newest slot first, then those without a slot that were claimed in it. */
  around(key: TriggerKey, stretch: Stretch): Promise<readonly Run[]>;
  /** Whether a run of a trigger that already has a turn is queued or running. */
  isBusy(key: TriggerKey): Promise<boolean>;
  /** Number of running runs of each trigger of a project, by `source/name`. */
  running(project: Slug): Promise<ReadonlyMap<string, number>>;
  /**
   * Makes a claimed slot wait, with a reason, until its turn is started or it is ended. False if another slot of its
   * trigger already waits, or if it was started or ended; then nothing is written.
   */
  hold(id: RunId, key: TriggerKey, reason: string): Promise<boolean>;
  /** Ends a claimed run that will not get a turn; consecutive slots with the same outcome share a row. */
  endUnstarted(id: RunId, outcome: RunOutcome, reason: string, at: number): Promise<RunId>;
  /** Records a run that could not start a chat. */
  addEnded(run: NewRun, outcome: RunOutcome, reason: string): Promise<void>;
  /** Claimed runs, except those of events, without a turn: an earlier process stopped between claim and start. */
  unstarted(): Promise<readonly ClaimedRun[]>;
}

const selectRun = prepared((db, given: { readonly project: Slug; readonly id: RunId }) =>
  db
    .selectFrom('run')
    .selectAll()
    .where('project', '=', given.project)
    .where('id', '=', given.id)
    .compile(),
);

export function createRuns(db: Kysely<Tables>): Runs {
  return {
    async get(project, id) {
      const [row] = await selectRun(db, { project, id });
      return row === undefined ? null : runOf(row);
    },
    list: (project, filter) => listRuns(db, project, filter),
    listAll: (filter) => listAllRuns(db, filter),
    async find(id) {
      const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : runOf(row);
    },
    async newest(project) {
      const rows = await db
        .selectFrom('run')
        .innerJoin('trigger_state', 'trigger_state.last_run_id', 'run.id')
        .where('trigger_state.project', '=', project)
        .selectAll('run')
        .execute();
      return new Map(rows.map((row) => [`${row.source}/${row.name}`, runOf(row)]));
    },
    recent: (project, most) => readRecent(db, project, most),
    signs: (projects, missedSince) => readSigns(db, projects, missedSince),
    isBusy: async (key) => (await selectBusy(db, key)).length > 0,
    async running(project) {
      const rows = await db
        .selectFrom('run')
        .select(['source', 'name', (eb) => eb.fn.countAll<number>().as('count')])
        .where('project', '=', project)
        .where('state', '<>', 'ended')
        .where('state', '=', 'running')
        .groupBy(['source', 'name'])
        .execute();
      return new Map(rows.map((row) => [`${row.source}/${row.name}`, Number(row.count)]));
    },
    around: (key, stretch) => runsAround(db, key, stretch),
    hold: (id, key, reason) => hold(db, id, key, reason),
    endUnstarted: (id, outcome, reason, at) =>
      db.transaction().execute((tx) => endUnstarted(tx, id, { outcome, reason, at })),
    async addEnded(run, outcome, reason) {
      await db.transaction().execute(async (tx) => {
        const at = isoTime(run.claimedAt);
        const ended = { state: 'ended', outcome, reason, ended_at: at };
        await tx
          .insertInto('run')
          .values({ ...newRunRow(run), ...ended })
          .execute();
        await rememberRun(tx, run.key, run.id);
        const counted = { key: run.key, outcome, at: run.claimedAt };
        await countEnd(tx, { ...counted, definitionHash: null });
        await countOutcome(tx, { ...counted, slots: 0 });
      });
    },
    async unstarted() {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('state', '=', 'queued')
        .where('turn_id', 'is', null)
        .where('cause', '<>', 'event')
        .orderBy('id')
        .execute();
      return rows.map(claimedOf);
    },
  };
}

const selectBusy = prepared((db, key: TriggerKey) => {
  const withTurn = db
    .selectFrom('run')
    .select('id')
    // A literal, so that the partial index applies.
    .where('state', '<>', sql.lit('ended'))
    .where('turn_id', 'is not', null);
  return ofKey(withTurn, key).limit(1).compile();
});

async function hold(
  db: Kysely<Tables>,
  id: RunId,
  key: TriggerKey,
  reason: string,
): Promise<boolean> {
  const others = ofKey(
    db
      .selectFrom('run')
      .select('id')
      .where('state', '=', sql.lit('queued'))
      .where('turn_id', 'is', null)
      .where(sql<boolean>`(cause = 'event' or reason is not null)`)
      .where('id', '<>', id),
    key,
  );
  const { numUpdatedRows } = await db
    .updateTable('run')
    .set({ reason })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('turn_id', 'is', null)
    .where(({ not, exists }) => not(exists(others)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function claimedOf(row: RunRow): ClaimedRun {
  return {
    id: row.id,
    key: { project: row.project, source: row.source as TriggerKey['source'], name: row.name },
    cause: row.cause as Cause,
    scheduledFor: Date.parse(row.scheduled_for ?? row.claimed_at),
    claimedAt: Date.parse(row.claimed_at),
    catchUp: row.catch_up === 1,
    isHeld: row.reason !== null,
  };
}

async function endUnstarted(
  tx: Transaction<Tables>,
  id: RunId,
  end: { outcome: RunOutcome; reason: string; at: number },
): Promise<RunId> {
  const ended = await tx
    .updateTable('run')
    .set({
      state: 'ended',
      outcome: end.outcome,
      reason: end.reason,
      ended_at: isoTime(end.at),
    })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('turn_id', 'is', null)
    .returning(['project', 'source', 'name', 'slot_count as slots'])
    .executeTakeFirst();
  if (ended === undefined) return id;
  const { project, source, name, slots } = ended;
  const key = { project, source: source as TriggerKey['source'], name };
  await countEnd(tx, { key, outcome: end.outcome, definitionHash: null, at: end.at });
  await countOutcome(tx, { key, outcome: end.outcome, slots, at: end.at });
  const shares = end.outcome === 'missed' || end.outcome.startsWith('skipped_');
  return shares ? coalesceIntoPrevious(tx, id) : id;
}

/** The row of a queued run without a slot. */
export function newRunRow(run: NewRun): NewRunRow {
  return {
    id: run.id,
    ...columnsOf(run.key),
    cause: run.cause,
    scheduled_for: null,
    scheduled_until: null,
    slot_count: 0,
    event_id: null,
    state: 'queued',
    outcome: null,
    reason: null,
    session_id: null,
    turn_id: null,
    definition_hash: null,
    catch_up: 0,
    late_ms: null,
    by_kind: run.by?.kind ?? null,
    by_id: run.by?.id ?? null,
    claimed_at: isoTime(run.claimedAt),
    started_at: null,
    ended_at: null,
    runtime: null,
    model: null,
    cost_microusd: null,
    tokens_in: null,
    tokens_out: null,
  };
}

/** Records the newest run of a trigger, including one that was never armed. */
export async function rememberRun(
  tx: Transaction<Tables>,
  key: TriggerKey,
  runId: RunId,
): Promise<void> {
  await tx
    .insertInto('trigger_state')
    .values({ ...columnsOf(key), last_run_id: runId })
    .onConflict((conflict) =>
      conflict.columns(['project', 'source', 'name']).doUpdateSet({ last_run_id: runId }),
    )
    .execute();
}
