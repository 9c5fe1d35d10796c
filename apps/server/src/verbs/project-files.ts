import { lstat, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError } from '@svc/cli';
import { PROJECT_FILE } from '@svc/projects';
import { isSlug } from '@svc/trigger-schema';
import { requireHome, requireRestored } from '../home.ts';
import { readLastUse } from '../last-use.ts';
import { homeInUse } from '../shared-home.ts';
import type { VerbContext } from '../verb-context.ts';

/**
 * The project files for a target: all in the home, the one of a project, or one by path.
 *
 * @throws CommandError if there is none
 */
export async function projectFiles(
  context: Pick<VerbContext, 'home'>,
  target: string | undefined,
): Promise<string[]> {
  const home = await homeInUse(context.home);
  const { projects } = home;
  await requireRestored(home);
  if (home.projectsAreNamed || (await readLastUse(home)) !== null) await requireHome(home);
  if (target === undefined) {
    const names = await readdir(projects).catch(() => {
      throw new CommandError(
        `The folder ${projects} does not exist. Choose a home with --home, or give a file.`,
      );
    });
    const slugs = names.filter(isSlug).sort();
    const files = slugs.map((slug) => join(projects, slug, PROJECT_FILE));
    const present = await Promise.all(files.map(isThere));
    const found = files.filter((_, i) => present[i]);
    if (found.length > 0) return found;
    throw new CommandError(
      `There is no project in ${projects}. Choose a home with --home, or give a file.`,
    );
  }
  const given = resolve(target);
  if (await isFile(given)) return [given];
  const file = join(projects, target, PROJECT_FILE);
  if (await isThere(file)) return [file];
  throw new CommandError(`There is no project or file named ${target}.`);
}

// Any kind of file counts: links and folders are reported as unreadable later.
async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES',
  );
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
