import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** The folder of projects that belongs to a database. */
export interface KnownFolder {
  /** What it is marked with. */
  readonly id: string;
  /** Where it lay when its mark was first seen; null while nobody has seen it, so that any folder may become it. */
  readonly path: string | null;
}

/** What a database knows of the folder of projects that belongs to it. */
export interface ProjectsFolder {
  /** Null where none does yet. */
  read(): Promise<KnownFolder | null>;
  /** Notes what it is to be marked with, unless that is known already. */
  choose(id: string): Promise<void>;
  /** Notes that the mark is there. */
  seen(path: string): Promise<void>;
}

const ID = 'projects_folder';
const PATH = 'projects_folder_path';

/** What of `instance` says which folder belongs to the database, whatever else is in it. */
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
