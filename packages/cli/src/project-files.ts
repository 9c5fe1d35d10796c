import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Issue } from '@svc/core';
import { type UnusablePrompt, unusablePrompt } from '@svc/engine';
import { PROJECT_FILE, readProjectFile } from '@svc/projects';
import type { Source } from '@svc/records';
import {
  type Declared,
  isSlug,
  type LegacySchedule,
  type ProjectFile,
  parseProject,
  type TriggerRecord,
} from '@svc/trigger-schema';
import type { CommandContext } from './context.ts';
import { CommandError } from './terminal.ts';

/**
 * The project files for a target: all in the home, the one of a project, or one by path.
 *
 * @throws CommandError if there is none
 */
export async function findProjectFiles(
  { projects: home }: Pick<CommandContext, 'projects'>,
  target: string | undefined,
): Promise<string[]> {
  const projects = await home.folder();
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

/** A valid entry of a project file, and the problem with its prompt file, if any. */
export interface ReadEntry {
  readonly source: Source;
  readonly name: string;
  readonly entry: Declared<TriggerRecord | LegacySchedule>;
  readonly prompt: UnusablePrompt | null;
}

/** A parsed project file, or its errors. */
type ReadProject =
  | {
      readonly ok: true;
      /** Real path of its folder. */
      readonly folder: string;
      readonly file: ProjectFile;
      readonly entries: readonly ReadEntry[];
    }
  | {
      readonly ok: false;
      readonly code: 'file_fault' | 'yaml_fault';
      readonly issues: readonly Issue[];
    };

/** Reads a project file and its prompt files like the service does. */
export async function readProject(
  { projects }: Pick<CommandContext, 'projects'>,
  path: string,
): Promise<ReadProject> {
  const text = await readProjectFile(path);
  if (text === null) throw new CommandError(`${path} does not exist.`);
  if (!text.ok) return { ok: false, code: 'file_fault', issues: text.issues };
  const parsed = parseProject(text.text, await projects.rules());
  if (!parsed.ok) return { ok: false, code: 'yaml_fault', issues: parsed.issues };
  const folder = await realpath(dirname(path));
  const declared = [
    ...[...parsed.value.triggers].map((one) => ['trigger', ...one] as const),
    ...[...parsed.value.schedules].map((one) => ['schedule', ...one] as const),
  ];
  const entries: ReadEntry[] = [];
  for (const [source, name, entry] of declared) {
    const prompt = await unusablePrompt({ folder }, source, entry);
    entries.push({ source, name, entry, prompt });
  }
  return { ok: true, folder, file: parsed.value, entries };
}
