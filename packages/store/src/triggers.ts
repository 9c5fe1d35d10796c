import type { ClientBound, Slug, TriggerKey } from '@svc/records';
import type { Kysely } from 'kysely';
import { prepared } from './prepared.ts';
import type { Tables } from './schema.ts';
import { ofKey } from './trigger-columns.ts';

/** What is remembered of triggers beside their schedule. */
export interface TriggerMemory {
  /** Ends what a deleted trigger owned: its session, its failure count. Runs stay. */
  forget(key: TriggerKey): Promise<void>;
  /** Keys of a project that own a session. */
  owners(project: Slug): Promise<readonly TriggerKey[]>;
  /** Notes the bounds of whoever is about to give a trigger the definition with this hash. */
  bind(trigger: NamedTriggerKey, hash: string, bounds: readonly ClientBound[]): Promise<void>;
  /** Forgets what was noted for other definitions of a trigger; for all of them with null. */
  unbindOthers(trigger: NamedTriggerKey, hash: string | null): Promise<void>;
  /** The bounds of a trigger while its definition has this hash. */
  boundsOf(trigger: NamedTriggerKey, hash: string): Promise<readonly ClientBound[]>;
  /** The bounds of a project's triggers, by `name/hash`. */
  bounds(project: Slug): Promise<ReadonlyMap<string, readonly ClientBound[]>>;
  /** The bounds with a budget, of all projects, by `project/name/hash`. */
  budgets(): Promise<ReadonlyMap<string, readonly ClientBound[]>>;
}

/** What names a trigger; legacy schedules have no bounds. */
type NamedTriggerKey = Pick<TriggerKey, 'project' | 'name'>;

interface BoundKey {
  readonly project: Slug;
  readonly name: string;
  readonly hash: string;
}

const selectBounds = prepared((db, given: BoundKey) =>
  db
    .selectFrom('trigger_bound')
    .select('bounds')
    .where('project', '=', given.project)
    .where('name', '=', given.name)
    .where('definition_hash', '=', given.hash)
    .compile(),
);

export function createTriggerMemory(db: Kysely<Tables>): TriggerMemory {
  return {
    async forget(key) {
      await ofKey(
        db.updateTable('trigger_state').set({ owned_session: null, consecutive_failures: 0 }),
        key,
      ).execute();
    },
    async bind({ project, name }, hash, bounds) {
      const text = JSON.stringify(bounds);
      await db
        .insertInto('trigger_bound')
        .values({ project, name, definition_hash: hash, bounds: text })
        .onConflict((conflict) =>
          conflict.columns(['project', 'name', 'definition_hash']).doUpdateSet({ bounds: text }),
        )
        .execute();
    },
    async unbindOthers({ project, name }, hash) {
      const others = db
        .deleteFrom('trigger_bound')
        .where('project', '=', project)
        .where('name', '=', name);
      await (hash === null ? others : others.where('definition_hash', '<>', hash)).execute();
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
