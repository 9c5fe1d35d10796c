import { isoTime } from '@svc/core';
import type { Cause, EventName, RunId, SessionId, Slug, TriggerKey, TurnId } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { type NewRun, newRunRow, rememberRun } from '../runs/runs.ts';
import { type EventFilter, type EventPage, listEvents } from './event-pages.ts';

/** An event of a project that is pending. */
export interface WaitingEvent {
  readonly id: string;
  readonly sessionId: SessionId | null;
  /** For an archived chat: `{ sessionId, name, archivedAt, archivedBy, messages }`. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event as stored. */
export interface RaisedEvent {
  readonly kind: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Pending events of one kind. */
export interface EventBacklog {
  readonly project: Slug;
  readonly count: number;
  /** Times of the oldest and the newest, in milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** The runs that an event starts, one per listening trigger. */
export interface Dispatch {
  readonly eventId: string;
  readonly runs: readonly NewRun[];
}

/** A run whose turn is not yet written: of an event, or of a slot that waits for the run before it. */
export interface UnopenedRun {
  readonly id: RunId;
  readonly key: TriggerKey;
  readonly cause: Cause;
  /** Empty for a slot. */
  readonly eventId: string;
  /** When the run was claimed, in milliseconds. */
  readonly claimedAt: number;
}

/** Lifecycle events. They are stored together with their cause, and dispatched once. */
export interface Events {
  /** Projects that have pending events of this kind. */
  backlogs(kind: EventName): Promise<readonly EventBacklog[]>;
  /** Pending events of one project; null if there are none. */
  backlog(kind: EventName, project: Slug): Promise<EventBacklog | null>;
  /** Pending archived chats of a project, oldest first, at most `limit`. */
  waiting(project: Slug, limit: number): Promise<readonly WaitingEvent[]>;
  /** Writes the runs of events, all together; events that were already dispatched are skipped. */
  dispatch(dispatches: readonly Dispatch[], at: number): Promise<void>;
  /**
   * Assigns all pending `afterTurn` events of a project to one run, which is written with them; null assigns them to no
   * run. Returns their number; 0: nothing was written.
   */
  cover(project: Slug, run: NewRun | null, at: number): Promise<number>;
  /** The turns that a curator run covers, in the order in which they ended. */
  turnsOf(runId: RunId): Promise<readonly TurnId[]>;
  /** The last turns of people in a project, up to `limit`, in the order in which they ended. */
  newestTurns(project: Slug, limit: number): Promise<readonly TurnId[]>;
  /** An event as stored; null if it was removed. */
  raised(id: string): Promise<RaisedEvent | null>;
  /** Projects with runs of events, or waiting slots, whose turns are not yet written. */
  unopenedProjects(): Promise<readonly Slug[]>;
  /** The oldest such run of each trigger of a project. */
  unopened(project: Slug): Promise<readonly UnopenedRun[]>;
  /** The events of a project with their runs, newest first. */
  list(project: Slug, filter: EventFilter): Promise<EventPage>;
  /** Deletes up to `limit` events that were dispatched before an instant and have no run; returns how many. */
  prune(before: number, limit: number): Promise<number>;
}

export function createEvents(db: Kysely<Tables>): Events {
  return {
    backlogs: (kind) => backlogs(db, kind),
    async backlog(kind, project) {
      const [backlog] = await backlogs(db, kind, project);
      return backlog ?? null;
    },
    async waiting(project, limit) {
      const rows = await db
        .selectFrom('event')
        .select(['id', 'session_id', 'payload'])
        .where('kind', '=', 'onArchive')
        .where('project', '=', project)
        .where('dispatched_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, session_id: sessionId, payload }) => ({
        id,
        sessionId,
        payload: JSON.parse(payload),
      }));
    },
    async dispatch(dispatches, at) {
      await db.transaction().execute(async (tx) => {
        for (const dispatch of dispatches) await dispatchOne(tx, dispatch, isoTime(at));
      });
    },
    cover: (project, run, at) =>
      db.transaction().execute((tx) => cover(tx, project, run, isoTime(at))),
    async turnsOf(runId) {
      const rows = await db
        .selectFrom('event')
        .select('caused_by_turn')
        .where('run_id', '=', runId)
        .orderBy('id')
        .execute();
      return rows.flatMap((row) => row.caused_by_turn ?? []);
    },
    async newestTurns(project, limit) {
      const rows = await db
        .selectFrom('event')
        .select('caused_by_turn')
        .where('kind', '=', 'afterTurn')
        .where('project', '=', project)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.reverse().flatMap((row) => row.caused_by_turn ?? []);
    },
    async raised(id) {
      const row = await db
        .selectFrom('event')
        .select(['kind', 'payload'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { kind: row.kind as EventName, payload: JSON.parse(row.payload) };
    },
    async unopenedProjects() {
      const rows = await unopenedRuns(db).select('project').distinct().execute();
      return rows.map((row) => row.project);
    },
    unopened: (project) => oldestUnopened(db, project),
    list: (project, filter) => listEvents(db, project, filter),
    prune: (before, limit) => prune(db, isoTime(before), limit),
  };
}

async function backlogs(
  db: Kysely<Tables>,
  kind: EventName,
  project?: Slug,
): Promise<EventBacklog[]> {
  const rows = await db
    .selectFrom('event')
    .select(({ fn }) => [
      'project',
      fn.countAll<number>().as('count'),
      fn.min('created_at').as('first'),
      fn.max('created_at').as('last'),
    ])
    .where('kind', '=', kind)
    .where('dispatched_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .groupBy('project')
    .execute();
  return rows.map((row) => ({
    project: row.project,
    count: Number(row.count),
    first: Date.parse(row.first),
    last: Date.parse(row.last),
  }));
}

async function dispatchOne(
  tx: Transaction<Tables>,
  { eventId, runs }: Dispatch,
  at: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('event')
    .set({ dispatched_at: at })
    .where('id', '=', eventId)
    .where('dispatched_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  for (const run of runs) await insertRun(tx, run, eventId);
}

async function insertRun(tx: Transaction<Tables>, run: NewRun, eventId: string): Promise<void> {
  const row = { ...newRunRow(run), event_id: eventId };
  await tx.insertInto('run').values(row).execute();
  await rememberRun(tx, run.key, run.id);
}

async function cover(
  tx: Transaction<Tables>,
  project: Slug,
  run: NewRun | null,
  at: string,
): Promise<number> {
  const covered = await tx
    .updateTable('event')
    .set({ dispatched_at: at, run_id: run?.id ?? null })
    .where('kind', '=', 'afterTurn')
    .where('project', '=', project)
    .where('dispatched_at', 'is', null)
    .returning('id')
    .execute();
  const [first] = covered.map(({ id }) => id).sort();
  if (run !== null && first !== undefined) await insertRun(tx, run, first);
  return covered.length;
}

// Literals, so that the partial index applies.
function unopenedRuns(db: Kysely<Tables>) {
  return db
    .selectFrom('run')
    .where('state', '=', sql.lit('queued'))
    .where('turn_id', 'is', null)
    .where(sql<boolean>`(cause = 'event' or reason is not null)`);
}

// Skips from trigger to trigger, however many waiting runs each of them has.
async function oldestUnopened(db: Kysely<Tables>, project: Slug): Promise<UnopenedRun[]> {
  const found: UnopenedRun[] = [];
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const row = await unopenedRuns(db)
      .select(['source', 'name', 'id', 'event_id', 'cause', 'claimed_at'])
      .where('project', '=', project)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('source', 'name'), '>', tuple(...after)))
      .orderBy('source')
      .orderBy('name')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return found;
    const { source, name, id, event_id: eventId } = row;
    const key = { project, source: source as TriggerKey['source'], name };
    const cause = row.cause as Cause;
    const claimedAt = Date.parse(row.claimed_at);
    found.push({ id, key, cause, eventId: eventId ?? '', claimedAt });
    after = [source, name];
  }
}

async function prune(db: Kysely<Tables>, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('event')
    .select('id')
    .where('dispatched_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('run').select(sql`1`.as('one')).whereRef('run.event_id', '=', 'event.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('run').select(sql`1`.as('one')).whereRef('run.id', '=', 'event.run_id')),
      ),
    )
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom('event').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
