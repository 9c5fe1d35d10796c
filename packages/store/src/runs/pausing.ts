import { type Slug, type TriggerId, type TriggerKey, triggerId } from '@svc/records';
import type { Kysely, Transaction } from 'kysely';
import { inserted, type NewChange } from '../changes/change-rows.ts';
import { columnsOf, ofKey } from '../claims/trigger-columns.ts';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { pauseChange, resumePaused, UNCOUNTED } from './failure-count.ts';

/** The pause of all triggers: since when, by whom and why. */
export interface PausedAll {
  /** Name of the person; `user` if users are not identified. */
  readonly by: string;
  /** UTC ISO text. */
  readonly at: string;
  readonly reason: string | null;
}

/** The pause of a trigger. */
export interface PausedTrigger {
  readonly key: TriggerKey;
  /** UTC ISO text. */
  readonly at: string;
  /** One sentence. */
  readonly reason: string;
}

/** A definition that is paused after a number of consecutive failures. */
export interface FailureGuard {
  readonly key: TriggerKey;
  /** Identifies the whole definition. */
  readonly hash: string;
  readonly pauseAfter: number;
}

/** Failure guards of a project. */
export interface ProjectGuards {
  readonly guards: readonly FailureGuard[];
  /** Triggers whose definitions are currently unknown; they are not changed. */
  readonly unread: readonly TriggerKey[];
}

/** Pauses of all triggers, of single triggers, and failure guards. */
export interface Pausing {
  /** The pause of all triggers; null if there is none. */
  all(): Promise<PausedAll | null>;
  /**
   * Pauses all triggers, replacing an earlier pause, or ends that with null; durable when it resolves, together with
   * `change`.
   */
  setAll(pause: PausedAll | null, change: NewChange): Promise<void>;
  /** The pause of a trigger; null if there is none. */
  of(key: TriggerKey): Promise<PausedTrigger | null>;
  /** The paused triggers of these projects. */
  triggers(projects: readonly Slug[]): Promise<ReadonlyMap<TriggerId, PausedTrigger>>;
  /**
   * Replaces the guards of a project. Counts and pauses of other definitions are removed; returns the triggers whose
   * pause was removed. `at`: milliseconds since the epoch.
   */
  guard(project: Slug, guards: ProjectGuards, at: number): Promise<readonly TriggerKey[]>;
  /** Ends the pause of a trigger, records the change, and resets the count; false if it was not paused. */
  resume(key: TriggerKey, change: NewChange): Promise<boolean>;
}

/** Key of `instance` with the pause of all triggers. */
export const PAUSED = 'paused';
const RESUMED_BY_EDIT = 'Its definition was changed.';

const selectOnePaused = prepared((db, key: TriggerKey) => ofKey(selectPaused(db), key).compile());

export function createPausing(db: Kysely<Tables>): Pausing {
  return {
    all: () => readPauseOfAll(db),
    setAll: (pause, change) =>
      db.transaction().execute(async (tx) => {
        const ended = await tx.deleteFrom('instance').where('key', '=', PAUSED).executeTakeFirst();
        if (pause !== null) {
          const value = JSON.stringify(pause);
          await tx.insertInto('instance').values({ key: PAUSED, value }).execute();
        }
        if (pause !== null || ended.numDeletedRows > 0n) await inserted(tx, [change]);
      }),
    async triggers(projects) {
      if (projects.length === 0) return new Map();
      const rows = await selectPaused(db).where('project', 'in', projects).execute();
      return new Map(rows.map((row) => [triggerId(keyOf(row)), pausedOf(row)]));
    },
    async of(key) {
      const [row] = await selectOnePaused(db, key);
      return row === undefined ? null : pausedOf(row);
    },
    guard: (project, guards, at) => guardProject(db, project, guards, at),
    resume: (key, change) => db.transaction().execute((tx) => resumePaused(tx, key, change)),
  };
}

/** The pause of all triggers; null if there is none. */
export async function readPauseOfAll(db: Kysely<Tables>): Promise<PausedAll | null> {
  const query = db.selectFrom('instance').select('value').where('key', '=', PAUSED);
  const row = await query.executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.value) as PausedAll);
}

type KeyColumns = ReturnType<typeof columnsOf>;

function keyOf({ project, source, name }: KeyColumns): TriggerKey {
  return { project, source: source as TriggerKey['source'], name };
}

function selectPaused(db: Kysely<Tables>) {
  return db
    .selectFrom('trigger_state')
    .select(['project', 'source', 'name', 'paused_at', 'paused_reason'])
    .where('paused_at', 'is not', null);
}

interface PausedRow extends KeyColumns {
  readonly paused_at: string | null;
  readonly paused_reason: string | null;
}

function pausedOf(row: PausedRow): PausedTrigger {
  return { key: keyOf(row), at: row.paused_at ?? '', reason: row.paused_reason ?? '' };
}

interface Guarded extends KeyColumns {
  readonly guard_hash: string | null;
  readonly pause_after: number | null;
  readonly paused_at: string | null;
}

async function guardProject(
  db: Kysely<Tables>,
  project: Slug,
  { guards, unread }: ProjectGuards,
  at: number,
): Promise<readonly TriggerKey[]> {
  const rows: Guarded[] = await db
    .selectFrom('trigger_state')
    .select(['project', 'source', 'name', 'guard_hash', 'pause_after', 'paused_at'])
    .where('project', '=', project)
    .where(({ eb, or }) => or([eb('pause_after', 'is not', null), eb('paused_at', 'is not', null)]))
    .execute();
  const stored = new Map(rows.map((row) => [triggerId(keyOf(row)), row]));
  const wanted = new Set([...guards.map(({ key }) => key), ...unread].map(triggerId));
  const fresh = guards.filter(({ key, hash }) => stored.get(triggerId(key))?.guard_hash !== hash);
  const left = rows.filter((row) => !wanted.has(triggerId(keyOf(row))));
  if (fresh.length + left.length === 0) return [];
  const changed = [...left.map(keyOf), ...fresh.map(({ key }) => key)];
  const resumed = changed.filter((key) => (stored.get(triggerId(key))?.paused_at ?? null) !== null);
  await db.transaction().execute(async (tx) => {
    for (const row of left) await setGuard(tx, keyOf(row), null);
    for (const guard of fresh) await setGuard(tx, guard.key, guard);
    await inserted(
      tx,
      resumed.map((key) => pauseChange(key, 'resumed', at, RESUMED_BY_EDIT)),
    );
  });
  return resumed;
}

async function setGuard(
  tx: Transaction<Tables>,
  key: TriggerKey,
  guard: FailureGuard | null,
): Promise<void> {
  const set = {
    ...UNCOUNTED,
    guard_hash: guard?.hash ?? null,
    pause_after: guard?.pauseAfter ?? null,
  };
  await tx
    .insertInto('trigger_state')
    .values({ ...columnsOf(key), ...set })
    .onConflict((conflict) => conflict.columns(['project', 'source', 'name']).doUpdateSet(set))
    .execute();
}
