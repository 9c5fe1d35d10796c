import type { Slug } from '@svc/records';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** What was armed from a project file, in the format of the maker. */
export interface CachedArming {
  /** Hash of the text of the file. */
  readonly textHash: string;
  /** Identifies the state of the file on disk; null if that is not reliable. */
  readonly mark: string | null;
  readonly body: string;
}

/**
 * What was armed from unchanged project files, so that a start does not parse them. It may be emptied at any time.
 * `maker` identifies what computed an entry; entries of other makers are ignored.
 */
export interface ArmingCache {
  /** The cached arming of these projects. */
  load(maker: string, projects: readonly Slug[]): Promise<ReadonlyMap<Slug, CachedArming>>;
  save(maker: string, project: Slug, arming: CachedArming): Promise<void>;
  forget(project: Slug): Promise<void>;
}

export function createArmingCache(db: Kysely<Tables>): ArmingCache {
  return {
    async load(maker, projects) {
      if (projects.length === 0) return new Map();
      const rows = await db
        .selectFrom('arming_cache')
        .select(['project', 'text_hash as textHash', 'mark', 'body'])
        .where('project', 'in', projects)
        .where('maker', '=', maker)
        .execute();
      return new Map(rows.map(({ project, ...arming }) => [project, arming]));
    },
    async save(maker, project, { textHash, mark, body }) {
      const row = { maker, text_hash: textHash, mark, body };
      await db
        .insertInto('arming_cache')
        .values({ project, ...row })
        .onConflict((conflict) => conflict.column('project').doUpdateSet(row))
        .execute();
    },
    async forget(project) {
      await db.deleteFrom('arming_cache').where('project', '=', project).execute();
    },
  };
}
