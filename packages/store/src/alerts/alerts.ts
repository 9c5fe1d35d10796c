import { isoTime } from '@svc/core';
import { type EndedRun, FAILURE_OUTCOMES } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { readPrunedStreak } from '../retention/pruned-streak.ts';
import { type PausedAll, readPauseOfAll } from '../runs/pausing.ts';
import type {
  AlertDelivery,
  AlertNotification,
  AlertType,
  DeliveryCounts,
  Mark,
  RunSum,
  SpentNote,
  TriedDelivery,
  TriggerOf,
} from './alert-rows.ts';
import {
  addDeliveries,
  addTried,
  hasten,
  noteTry,
  readCounts,
  readDue,
  readLastTry,
  readNextDue,
  type TestDelivery,
  tidyDeliveries,
} from './deliveries.ts';
import { readOutcomes } from './outcome-days.ts';
import { readPendingRuns } from './pending-runs.ts';
import { forgetSpent, markSpentTold, noteSpent, readPendingSpentLimits } from './spent-notes.ts';

/** Records which run ends were notified, to which sinks, and pending deliveries. */
export interface Alerts {
  /**
   * Turns recording on, so that runs that ended before the first time are not notified, or off, so that nothing
   * accumulates.
   */
  follow(on: boolean): Promise<void>;
  /** Ended runs without an alert so far, ordered by id, at most `most`. */
  pendingRuns(most: number): Promise<readonly EndedRun[]>;
  /**
   * Consecutive failures up to and including a failed run; skipped, missed and cancelled runs are ignored. At most
   * `most`.
   */
  failuresUpTo(run: TriggerOf & { readonly id: string }, most: number): Promise<number>;
  /** What sinks were notified of about a trigger. */
  marks(of: TriggerOf): Promise<readonly Mark[]>;
  /**
   * Stores all of it or nothing, with at most `mostWaiting` deliveries per sink. Returns how many of the oldest were
   * given up.
   */
  add(notification: AlertNotification, mostWaiting: number): Promise<number>;
  /** The pause of all triggers, unless an alert was already sent for it. */
  pendingPause(): Promise<PausedAll | null>;
  /** Records that a daily limit was reached; false if that is already recorded for its day. */
  noteSpent(note: SpentNote): Promise<boolean>;
  /** Reached limits without an alert so far, earliest first. */
  pendingSpentLimits(): Promise<readonly SpentNote[]>;
  /** End of the period that the last digest covered; null before the first one. */
  digestAt(): Promise<number | null>;
  /**
   * Outcomes of each trigger on the days from `from` (inclusive) to `to` (exclusive), as `YYYY-MM-DD` in the time zone
   * of the host.
   */
  sums(from: string, to: string): Promise<readonly RunSum[]>;
  /** Deliveries of a sink that are due at `now`, oldest first, at most `most`. */
  due(sink: string, now: number, most: number): Promise<readonly AlertDelivery[]>;
  /** When the next delivery of a sink is due; null if none is pending. */
  nextDue(sink: string): Promise<number | null>;
  /** Records a delivery attempt; `nextAt` null: it was the last one. */
  tried(id: string, tried: TriedDelivery, nextAt: number | null): Promise<void>;
  /** Records a test delivery of a sink. */
  addTried(test: TestDelivery): Promise<void>;
  /** Makes all pending deliveries of a sink due at `now`. */
  hasten(sink: string, now: number): Promise<void>;
  counts(sink: string): Promise<DeliveryCounts>;
  /** The newest delivery attempt of a sink; null if there was none. */
  lastTry(sink: string): Promise<TriedDelivery | null>;
  /**
   * Gives up pending deliveries for sinks other than these, and deletes deliveries that ended, and marks of lost
   * servers, before an instant.
   */
  tidy(sinks: readonly string[], endedBefore: number, now: number): Promise<void>;
}

export function createAlerts(db: Kysely<Tables>): Alerts {
  return {
    follow: (on) => db.transaction().execute((tx) => follow(tx, on)),
    pendingRuns: (most) => readPendingRuns(db, most),
    failuresUpTo: (run, most) => countFailures(db, run, most),
    marks: (of) => readMarks(db, of),
    add: (notification, mostWaiting) =>
      db.transaction().execute((tx) => writeNotification(tx, notification, mostWaiting)),
    pendingPause: () => readPendingPause(db),
    noteSpent: (note) => noteSpent(db, note),
    pendingSpentLimits: () => readPendingSpentLimits(db),
    digestAt: () => readDigestAt(db),
    sums: (from, to) => readOutcomes(db, from, to),
    addTried: (test) => addTried(db, test),
    hasten: (sink, now) => hasten(db, sink, now),
    counts: (sink) => readCounts(db, sink),
    due: (sink, now, most) => readDue(db, sink, now, most),
    nextDue: (sink) => readNextDue(db, sink),
    tried: (id, tried, nextAt) => noteTry(db, id, tried, nextAt),
    lastTry: (sink) => readLastTry(db, sink),
    tidy: (sinks, endedBefore, now) =>
      db.transaction().execute((tx) => tidyDeliveries(tx, sinks, endedBefore, now)),
  };
}

const FOLLOWING = 'alerts';
const PAUSE_TOLD = 'alerts_pause';
const DIGEST_TOLD = 'alerts_digest';

async function follow(tx: Transaction<Tables>, on: boolean): Promise<void> {
  if (on && (await readNote(tx, FOLLOWING)) !== null) return;
  await tx
    .updateTable('run')
    .set({ notified: 1 })
    .where('state', '=', sql.lit('ended'))
    .where('notified', '=', sql.lit(0))
    .execute();
  const notes = [FOLLOWING, PAUSE_TOLD, DIGEST_TOLD];
  await tx.deleteFrom('instance').where('key', 'in', notes).execute();
  await forgetSpent(tx);
  if (!on) return;
  await note(tx, FOLLOWING, 'on');
  const pause = await readPauseOfAll(tx);
  if (pause !== null) await note(tx, PAUSE_TOLD, pause.at);
}

async function readNote(db: Kysely<Tables>, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('instance')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value ?? null;
}

async function note(db: Kysely<Tables>, key: string, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

async function readPendingPause(db: Kysely<Tables>): Promise<PausedAll | null> {
  const pause = await readPauseOfAll(db);
  return pause === null || pause.at === (await readNote(db, PAUSE_TOLD)) ? null : pause;
}

async function readDigestAt(db: Kysely<Tables>): Promise<number | null> {
  const at = await readNote(db, DIGEST_TOLD);
  return at === null ? null : Date.parse(at);
}

async function countFailures(
  db: Kysely<Tables>,
  { project, source, trigger, id }: TriggerOf & { readonly id: string },
  most: number,
): Promise<number> {
  const pruned = await readPrunedStreak(db, { project, source, name: trigger });
  const rows = await db
    .selectFrom('run')
    .select('outcome')
    .where('project', '=', project)
    .where('source', '=', source)
    .where('name', '=', trigger)
    .where('id', '<=', id)
    // Without this bound, failures from before successes that retention has removed would count as consecutive.
    .where('id', '>', pruned.success ?? '')
    .where('outcome', 'in', ['succeeded', ...FAILURE_OUTCOMES])
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  const success = rows.findIndex(({ outcome }) => outcome === 'succeeded');
  if (success !== -1) return success;
  return Math.min(Math.max(rows.length + pruned.failures, 1), most);
}

async function readMarks(
  db: Kysely<Tables>,
  { project, source, trigger }: TriggerOf,
): Promise<readonly Mark[]> {
  const rows = await db
    .selectFrom('alert_state')
    .select(['sink', 'type', 'notified_at', 'is_open'])
    .where('project', '=', project)
    .where('source', '=', source)
    .where('name', '=', trigger)
    .execute();
  return rows.map(({ sink, type, notified_at, is_open }) => ({
    ...{ sink, at: Date.parse(notified_at), open: is_open === 1 },
    type: type as AlertType,
  }));
}

async function writeNotification(
  tx: Transaction<Tables>,
  { runs, of, deliveries, marks, pauseAt, spent = [], digestAt }: AlertNotification,
  mostWaiting: number,
): Promise<number> {
  if (runs.length > 0) {
    await tx.updateTable('run').set({ notified: 1 }).where('id', 'in', runs).execute();
  }
  for (const { sink, type, at, open } of of === null ? [] : marks) {
    const state = { notified_at: isoTime(at), is_open: open ? 1 : 0 };
    const { project, source, trigger: name } = of as TriggerOf;
    await tx
      .insertInto('alert_state')
      .values({ project, source, name, sink, type, ...state })
      .onConflict((conflict) =>
        conflict.columns(['project', 'source', 'name', 'sink', 'type']).doUpdateSet(state),
      )
      .execute();
  }
  if (pauseAt !== undefined) await note(tx, PAUSE_TOLD, pauseAt);
  await markSpentTold(tx, spent);
  if (digestAt !== undefined) await note(tx, DIGEST_TOLD, isoTime(digestAt));
  return addDeliveries(tx, deliveries, mostWaiting);
}
