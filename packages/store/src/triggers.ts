import type { Slug, TriggerKey } from '@svc/records';
import type { Kysely } from 'kysely';
import { ofKey } from './claims.ts';
import type { Tables } from './schema.ts';

/** What is remembered of triggers beside their schedule. */
export interface TriggerMemory {
  /** Ends what a deleted trigger owned: its session, its failure count. Runs stay. */
  forget(key: TriggerKey): Promise<void>;
  /** Keys of a project that own a session. */
  owners(project: Slug): Promise<readonly TriggerKey[]>;
}

export function createTriggerMemory(db: Kysely<Tables>): TriggerMemory {
  return {
    async forget(key) {
      await ofKey(
        db.updateTable('trigger_state').set({ owned_session: null, consecutive_failures: 0 }),
        key,
      ).execute();
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
