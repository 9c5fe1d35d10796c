import type { EventName, RunId, RunOutcome, SessionId, Slug, TurnId } from '@svc/records';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Which events to list; absent fields do not filter. */
export interface EventFilter {
  readonly event?: EventName;
  /** Only events with these ids. */
  readonly ids?: readonly string[];
  /** `next` of the previous page. */
  readonly cursor?: string;
  /** Maximum number, 1 to 200. */
  readonly limit: number;
}

/** A run that an event started. */
export interface EventRun {
  readonly id: RunId;
  readonly trigger: string;
  readonly state: 'queued' | 'running' | 'ended';
  readonly outcome: RunOutcome | null;
}

/** An event with its runs. */
export interface ListedEvent {
  readonly id: string;
  readonly event: EventName;
  readonly sessionId: SessionId | null;
  /** Name of the chat at that time. */
  readonly chat: string;
  /** Who archived the chat; null for the end of a turn. */
  readonly by: string | null;
  /** The turn that ended or that archived the chat; null if none. */
  readonly turnId: TurnId | null;
  readonly createdAt: string;
  /** When its runs were determined; null while pending. */
  readonly dispatchedAt: string | null;
  /** Ordered by trigger name; empty if no trigger listened for it. */
  readonly runs: readonly EventRun[];
}

/** A page of events, newest first. */
export interface EventPage {
  readonly events: readonly ListedEvent[];
  readonly next: string | null;
}

/** Reads a page of the events of a project. */
export async function listEvents(
  db: Kysely<Tables>,
  project: Slug,
  { event: kind, ids, cursor, limit }: EventFilter,
): Promise<EventPage> {
  let query = db.selectFrom('event').selectAll().where('project', '=', project);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const runs = await runsOf(db, page);
  return {
    events: page.map((row) => eventOf(row, runs)),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

type Row = Selectable<Tables['event']>;

interface LinkedRun extends EventRun {
  readonly eventId: string | null;
}

async function runsOf(db: Kysely<Tables>, rows: readonly Row[]): Promise<readonly LinkedRun[]> {
  if (rows.length === 0) return [];
  const covering = rows.flatMap((row) => row.run_id ?? []);
  const found = await db
    .selectFrom('run')
    .select(['id', 'name', 'state', 'outcome', 'event_id'])
    .where(({ eb, or }) =>
      or([
        eb(
          'event_id',
          'in',
          rows.map(({ id }) => id),
        ),
        ...(covering.length === 0 ? [] : [eb('id', 'in', covering)]),
      ]),
    )
    .orderBy('name')
    .execute();
  return found.map((run) => ({
    id: run.id,
    trigger: run.name,
    state: run.state as EventRun['state'],
    outcome: run.outcome as RunOutcome | null,
    eventId: run.event_id,
  }));
}

function eventOf(row: Row, runs: readonly LinkedRun[]): ListedEvent {
  const payload = JSON.parse(row.payload) as { name?: string; archivedBy?: string };
  return {
    id: row.id,
    event: row.kind as EventName,
    sessionId: row.session_id,
    chat: payload.name ?? '',
    by: payload.archivedBy ?? null,
    turnId: row.caused_by_turn,
    createdAt: row.created_at,
    dispatchedAt: row.dispatched_at,
    runs: runs
      .filter(({ id, eventId }) =>
        row.kind === 'afterTurn' ? id === row.run_id : eventId === row.id,
      )
      .map(({ id, trigger, state, outcome }) => ({ id, trigger, state, outcome })),
  };
}
