import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** The projects folder that belongs to a database. */
export interface KnownFolder {
  /** Id in its mark. */
  readonly id: string;
  /** Path at which its mark was first seen; null until then, so that any folder may become it. */
  readonly path: string | null;
}

/** The record of the projects folder that belongs to a database. */
export interface ProjectsFolder {
  /** null if there is none yet. */
  read(): Promise<KnownFolder | null>;
  /** Records the id of the mark, unless there is one already. */
  choose(id: string): Promise<void>;
  /** Records that the mark exists. */
  seen(path: string): Promise<void>;
}

const ID = 'projects_folder';
const PATH = 'projects_folder_path';

/** Keys of `instance` that identify the projects folder. */
export const FOLDER_KEYS: readonly string[] = [ID, PATH];

export function createProjectsFolder(db: Kysely<Tables>): ProjectsFolder {
  const note = async (key: string, value: string): Promise<void> => {
    await db
      .insertInto('instance')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  };
  return {
    async read() {
      const rows = await db
        .selectFrom('instance')
        .select(['key', 'value'])
        .where('key', 'in', FOLDER_KEYS)
        .execute();
      const textOf = (name: string) => rows.find(({ key }) => key === name)?.value ?? null;
      const id = textOf(ID);
      return id === null ? null : { id, path: textOf(PATH) };
    },
    choose: (id) => note(ID, id),
    seen: (path) => note(PATH, path),
  };
}
