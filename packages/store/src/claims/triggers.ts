import { isoTime } from '@svc/core';
import type { ClientBound, Slug, TriggerKey } from '@svc/records';
import type { Kysely } from 'kysely';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { ofKey } from './trigger-columns.ts';

/** Records of triggers besides their schedule. */
export interface TriggerMemory {
  /** Deletes what a removed trigger owned: its session and failure count. Runs are kept. */
  forget(key: TriggerKey): Promise<void>;
  /** Keys of triggers of a project that own a session. */
  owners(project: Slug): Promise<readonly TriggerKey[]>;
  /** Records, at `now` (milliseconds), the bounds of a caller who is about to store the definition with this hash. */
  bind(bound: BoundDefinition, bounds: readonly ClientBound[], now: number): Promise<void>;
  /** Removes the bounds of a definition after a caller without bounds has stored it. */
  unbind(bound: BoundDefinition): Promise<void>;
  /** The definitions whose bounds were recorded before an instant (milliseconds). */
  boundBefore(before: number): Promise<readonly BoundDefinition[]>;
  /** Removes the bounds of a definition, unless they were recorded at that instant or later. */
  unbindStale(bound: BoundDefinition, before: number): Promise<void>;
  /** The bounds of a trigger, if its definition has this hash. */
  boundsOf(trigger: NamedTriggerKey, hash: string): Promise<readonly ClientBound[]>;
  /** The bounds of the triggers of a project, by `name/hash`. */
  bounds(project: Slug): Promise<ReadonlyMap<string, readonly ClientBound[]>>;
  /** The bounds with a budget, of all projects, by `project/name/hash`. */
  budgets(): Promise<ReadonlyMap<string, readonly ClientBound[]>>;
}

/** Identifies a trigger; legacy schedules have no bounds. */
type NamedTriggerKey = Pick<TriggerKey, 'project' | 'name'>;

/** A definition of a trigger, by its hash. */
interface BoundDefinition extends NamedTriggerKey {
  readonly hash: string;
}

const selectBounds = prepared((db, given: BoundDefinition) =>
  db
    .selectFrom('trigger_bound')
    .select('bounds')
    .where('project', '=', given.project)
    .where('name', '=', given.name)
    .where('definition_hash', '=', given.hash)
    .compile(),
);

function deletionOf(db: Kysely<Tables>, { project, name, hash }: BoundDefinition) {
  return db
    .deleteFrom('trigger_bound')
    .where('project', '=', project)
    .where('name', '=', name)
    .where('definition_hash', '=', hash);
}

export function createTriggerMemory(db: Kysely<Tables>): TriggerMemory {
  return {
    async forget(key) {
      await ofKey(
        db.updateTable('trigger_state').set({ owned_session: null, consecutive_failures: 0 }),
        key,
      ).execute();
    },
    async bind({ project, name, hash }, bounds, now) {
      const noted = { bounds: JSON.stringify(bounds), bound_at: isoTime(now) };
      await db
        .insertInto('trigger_bound')
        .values({ project, name, definition_hash: hash, ...noted })
        .onConflict((conflict) =>
          conflict.columns(['project', 'name', 'definition_hash']).doUpdateSet(noted),
        )
        .execute();
    },
    async unbind(bound) {
      await deletionOf(db, bound).execute();
    },
    async boundBefore(before) {
      return db
        .selectFrom('trigger_bound')
        .select(['project', 'name', 'definition_hash as hash'])
        .where('bound_at', '<', isoTime(before))
        .execute();
    },
    async unbindStale(bound, before) {
      await deletionOf(db, bound).where('bound_at', '<', isoTime(before)).execute();
    },
    async boundsOf({ project, name }, hash) {
      const [row] = await selectBounds(db, { project, name, hash });
      return row === undefined ? [] : boundsIn(row);
    },
    async bounds(project) {
      const rows = await db
        .selectFrom('trigger_bound')
        .selectAll()
        .where('project', '=', project)
        .execute();
      return new Map(rows.map((row) => [`${row.name}/${row.definition_hash}`, boundsIn(row)]));
    },
    async budgets() {
      const rows = await db
        .selectFrom('trigger_bound')
        .selectAll()
        .where('bounds', 'like', '%"budget":%')
        .execute();
      return new Map(
        rows.map((row) => [`${row.project}/${row.name}/${row.definition_hash}`, boundsIn(row)]),
      );
    },
    async owners(project) {
      const rows = await db
        .selectFrom('trigger_state')
        .select(['source', 'name'])
        .where('project', '=', project)
        .where('owned_session', 'is not', null)
        .execute();
      return rows.map((row) => ({
        project,
        source: row.source as TriggerKey['source'],
        name: row.name,
      }));
    },
  };
}

function boundsIn({ bounds }: { readonly bounds: string }): readonly ClientBound[] {
  return JSON.parse(bounds) as ClientBound[];
}
