import type { Slug } from '@svc/records';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** The last valid text of each project file, for servers that share a database. */
export interface GoodTexts {
  /** null if there is none. */
  load(project: Slug): Promise<string | null>;
  save(project: Slug, text: string): Promise<void>;
  forget(project: Slug): Promise<void>;
}

export function createGoodTexts(db: Kysely<Tables>): GoodTexts {
  const load = async (project: Slug): Promise<string | null> => {
    const row = await db
      .selectFrom('instance')
      .select('value')
      .where('key', '=', keyOf(project))
      .executeTakeFirst();
    return row?.value ?? null;
  };
  return {
    load,
    async save(project, value) {
      // At every start, each valid file is saved again.
      if ((await load(project)) === value) return;
      await db
        .insertInto('instance')
        .values({ key: keyOf(project), value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
    async forget(project) {
      await db.deleteFrom('instance').where('key', '=', keyOf(project)).execute();
    },
  };
}

function keyOf(project: Slug): string {
  return `good_text/${project}`;
}
