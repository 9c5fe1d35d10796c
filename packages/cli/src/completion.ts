import { basename, dirname } from 'node:path';
import { isSlug } from '@svc/trigger-schema';
import { argumentsOf, type Command, type Completion, optionsOf } from './command.ts';
import type { CommandContext, CommandLine } from './context.ts';
import { projectsOf, triggersOf } from './names.ts';
import { optionNamed, readWords } from './parsing.ts';
import { accessRunningServer } from './service.ts';

/**
 * Completions for the last word of a command line: commands, options and their values, projects and triggers.
 *
 * @param words the words after the program name, including the incomplete last one
 * @param contextOf the context of a command with these options
 */
export async function completionsOf(
  words: readonly string[],
  commands: readonly Command<never>[],
  contextOf: (options: CommandLine['options']) => Promise<CommandContext>,
): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  // Bash splits words there.
  const before = words.slice(0, -1).filter((word) => word !== '=');
  const { name, given, options, open } = readWords(before, commands);
  const fits = (all: readonly string[]): string[] => all.filter((one) => one.startsWith(begun));
  const complete = async (what: Completion | null | undefined) =>
    fits(await namesOf(what, given, () => contextOf(options)));
  if (open !== null) return complete(optionNamed(open, commands)?.completion);
  const names = commands.map((command) => command.name);
  if (name === null) return fits([...names, 'help']);
  const command = commands.find((one) => one.name === name);
  if (begun.startsWith('-')) {
    return fits(command === undefined ? [] : optionsOf(command).map((one) => `--${one.name}`));
  }
  if (name === 'help') return given.length === 0 ? fits(names) : [];
  const all = await complete(
    command === undefined ? null : argumentsOf(command)[given.length]?.completion,
  );
  // A word that starts like an option would be parsed as one.
  return all.filter((one) => !one.startsWith('-'));
}

async function namesOf(
  what: Completion | null | undefined,
  given: readonly string[],
  contextOf: () => Promise<CommandContext>,
): Promise<readonly string[]> {
  if (what == null || what === 'folder' || what === 'file') return [];
  if (typeof what !== 'string') return what;
  const context = await contextOf();
  const api = await accessRunningServer(context).catch(() => null);
  if (what === 'project') {
    if (api !== null) return projectsOf(api);
    const { findProjectFiles } = await loadProjectFiles();
    const files = await findProjectFiles(context, undefined);
    return files.map((file) => basename(dirname(file)));
  }
  const project = given.at(-1) ?? '';
  return api === null ? triggersWritten(context, project) : triggersOf(api, project);
}

// Works without a server, from the file.
async function triggersWritten(
  context: CommandContext,
  project: string,
): Promise<readonly string[]> {
  if (!isSlug(project)) return [];
  const { findProjectFiles, readProject } = await loadProjectFiles();
  const [file = ''] = await findProjectFiles(context, project);
  const read = await readProject(context, file);
  if (!read.ok) return [];
  const { triggers, schedules, invalid } = read.file;
  return [...triggers.keys(), ...schedules.keys(), ...invalid.map(({ name }) => name)];
}

// Loaded on demand, because it brings the parser.
const loadProjectFiles = () => import('./project-files.ts');
