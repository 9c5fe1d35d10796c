import type { Slug } from '@svc/records';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** What was armed of a project file, in the words of whoever keeps it. */
export interface KeptArming {
  /** Of the text of the file. */
  readonly textHash: string;
  /** What the file looked like on the disk; null where that tells nothing. */
  readonly mark: string | null;
  readonly body: string;
}

/**
 * What could be found out again, and takes long to: it may be emptied at any time. `maker` tells what has made it; what
 * another maker has kept is as good as not there.
 */
export interface Memory {
  /** What was kept of the arming of these projects. */
  armings(maker: string, projects: readonly Slug[]): Promise<ReadonlyMap<Slug, KeptArming>>;
  keepArming(maker: string, project: Slug, arming: KeptArming): Promise<void>;
  /** What a text of a project file came to; null where it is not known. */
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
