import { isoTime } from '@svc/core';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { AlertDelivery, DeliveryCounts, TriedDelivery } from './alert-rows.ts';

const NO_LONGER = 'Its sink is no longer configured.';
const TOO_MANY = 'Too many alerts were pending for this sink.';

interface NewDelivery extends Omit<AlertDelivery, 'attempts'> {
  readonly project: string;
  readonly trigger: string;
  readonly runId: string | null;
}

/** Adds deliveries, and gives up the oldest pending ones of a sink beyond the maximum. Returns how many. */
export async function addDeliveries(
  tx: Transaction<Tables>,
  deliveries: readonly NewDelivery[],
  mostWaiting: number,
): Promise<number> {
  for (const { id, sink, type, project, trigger, runId, body, addedAt } of deliveries) {
    const at = isoTime(addedAt);
    const row = { id, sink, type, project, name: trigger, run_id: runId, body };
    await tx
      .insertInto('delivery')
      .values({ ...row, attempts: 0, created_at: at, next_at: at })
      .execute();
  }
  let dropped = 0;
  for (const sink of new Set(deliveries.map((one) => one.sink))) {
    const beyond = tx
      .selectFrom('delivery')
      .select('id')
      .where('sink', '=', sink)
      .where('ended_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1_000_000)
      .offset(mostWaiting);
    const { numUpdatedRows } = await tx
      .updateTable('delivery')
      .set({ ended_at: isoTime(deliveries[0]?.addedAt ?? 0), next_at: null, error: TOO_MANY })
      .where('id', 'in', beyond)
      .executeTakeFirstOrThrow();
    dropped += Number(numUpdatedRows);
  }
  return dropped;
}

export async function readDue(
  db: Kysely<Tables>,
  sink: string,
  now: number,
  most: number,
): Promise<readonly AlertDelivery[]> {
  const rows = await db
    .selectFrom('delivery')
    .select(['id', 'type', 'body', 'attempts', 'created_at'])
    .where('sink', '=', sink)
    .where('ended_at', 'is', null)
    .where('next_at', '<=', isoTime(now))
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id, type, body, attempts, created_at }) => ({
    ...{ id, sink, body, attempts: Number(attempts), addedAt: Date.parse(created_at) },
    type: type as AlertDelivery['type'],
  }));
}

export async function readNextDue(db: Kysely<Tables>, sink: string): Promise<number | null> {
  const row = await db
    .selectFrom('delivery')
    .select('next_at')
    .where('sink', '=', sink)
    .where('ended_at', 'is', null)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_at == null ? null : Date.parse(row.next_at);
}

export async function noteTry(
  db: Kysely<Tables>,
  id: string,
  tried: TriedDelivery,
  nextAt: number | null,
): Promise<void> {
  const at = isoTime(tried.at);
  const end = nextAt === null ? { next_at: null, ended_at: at } : { next_at: isoTime(nextAt) };
  await db
    .updateTable('delivery')
    .set({ ...end, tried_at: at, error: tried.error, attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .execute();
}

/** A test delivery with its result. */
export type TestDelivery = Pick<AlertDelivery, 'id' | 'sink' | 'body'> & TriedDelivery;

export async function addTried(
  db: Kysely<Tables>,
  { id, sink, body, at, error }: TestDelivery,
): Promise<void> {
  const time = isoTime(at);
  const times = { created_at: time, tried_at: time, ended_at: time, next_at: null };
  await db
    .insertInto('delivery')
    .values({ id, sink, body, type: 'test', project: '', name: '', attempts: 1, ...times, error })
    .execute();
}

export async function hasten(db: Kysely<Tables>, sink: string, now: number): Promise<void> {
  const at = isoTime(now);
  await db
    .updateTable('delivery')
    .set({ next_at: at })
    .where('sink', '=', sink)
    .where('ended_at', 'is', null)
    .where('next_at', '>', at)
    .execute();
}

export async function readCounts(db: Kysely<Tables>, sink: string): Promise<DeliveryCounts> {
  const of = db
    .selectFrom('delivery')
    .select(sql<number>`count(*)`.as('count'))
    .where('sink', '=', sink);
  const waiting = await of.where('ended_at', 'is', null).executeTakeFirstOrThrow();
  const givenUp = await of
    .where('ended_at', 'is not', null)
    .where('error', 'is not', null)
    .where('type', '!=', 'test')
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting.count), givenUp: Number(givenUp.count) };
}

export async function readLastTry(db: Kysely<Tables>, sink: string): Promise<TriedDelivery | null> {
  const row = await db
    .selectFrom('delivery')
    .select(['tried_at', 'error'])
    .where('sink', '=', sink)
    .where('tried_at', 'is not', null)
    .orderBy('tried_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row?.tried_at == null) return null;
  return { at: Date.parse(row.tried_at), ok: row.error === null, error: row.error };
}

/** Gives up pending deliveries of removed sinks, and deletes old deliveries and marks of lost servers. */
export async function tidyDeliveries(
  tx: Transaction<Tables>,
  sinks: readonly string[],
  endedBefore: number,
  now: number,
): Promise<void> {
  const waiting = tx
    .updateTable('delivery')
    .set({ ended_at: isoTime(now), next_at: null, error: NO_LONGER })
    .where('ended_at', 'is', null);
  await (sinks.length === 0 ? waiting : waiting.where('sink', 'not in', sinks)).execute();
  await tx.deleteFrom('delivery').where('ended_at', '<', isoTime(endedBefore)).execute();
  const marks = tx.deleteFrom('alert_state');
  await (sinks.length === 0 ? marks : marks.where('sink', 'not in', sinks)).execute();
  // Only marks of lost servers have a name without a project, and no server is lost twice.
  await tx
    .deleteFrom('alert_state')
    .where('project', '=', '')
    .where('name', '<>', '')
    .where('notified_at', '<', isoTime(endedBefore))
    .execute();
}
