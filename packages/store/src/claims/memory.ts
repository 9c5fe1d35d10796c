import type { Slug } from '@svc/records';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** What was armed from a project file, in the format of the maker. */
export interface KeptArming {
  /** Hash of the text of the file. */
  readonly textHash: string;
  /** Identifies the state of the file on disk; null if that is not reliable. */
  readonly mark: string | null;
  readonly body: string;
}

/**
 * A cache of results that take long to compute. It may be emptied at any time. `maker` identifies what computed an
 * entry; entries of other makers are ignored.
 */
export interface Memory {
  /** The cached arming of these projects. */
  armings(maker: string, projects: readonly Slug[]): Promise<ReadonlyMap<Slug, KeptArming>>;
  keepArming(maker: string, project: Slug, arming: KeptArming): Promise<void>;
  /** The cached result of parsing a project file; null if there is none. */
  file(maker: string, project: Slug, textHash: string): Promise<Uint8Array | null>;
  keepFile(maker: string, project: Slug, textHash: string, body: Uint8Array): Promise<void>;
  forget(project: Slug): Promise<void>;
}

export function createMemory(db: Kysely<Tables>): Memory {
  return {
    async armings(maker, projects) {
      if (projects.length === 0) return new Map();
      const rows = await db
        .selectFrom('kept_arming')
        .select(['project', 'text_hash as textHash', 'mark', 'body'])
        .where('project', 'in', projects)
        .where('maker', '=', maker)
        .execute();
      return new Map(rows.map(({ project, ...arming }) => [project, arming]));
    },
    async keepArming(maker, project, { textHash, mark, body }) {
      const row = { maker, text_hash: textHash, mark, body };
      await db
        .insertInto('kept_arming')
        .values({ project, ...row })
        .onConflict((conflict) => conflict.column('project').doUpdateSet(row))
        .execute();
    },
    async file(maker, project, textHash) {
      const row = await db
        .selectFrom('kept_file')
        .select('body')
        .where('project', '=', project)
        .where('maker', '=', maker)
        .where('text_hash', '=', textHash)
        .executeTakeFirst();
      return row?.body ?? null;
    },
    async keepFile(maker, project, textHash, body) {
      const row = { maker, text_hash: textHash, body };
      await db
        .insertInto('kept_file')
        .values({ project, ...row })
        .onConflict((conflict) => conflict.column('project').doUpdateSet(row))
        .execute();
    },
    async forget(project) {
      await db.deleteFrom('kept_arming').where('project', '=', project).execute();
      await db.deleteFrom('kept_file').where('project', '=', project).execute();
    },
  };
}
