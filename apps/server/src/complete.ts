import { readdir, readFile } from 'node:fs/promises';
import { isSlug, parseProject } from '@svc/trigger-schema';
import { type ArgumentKind, COMMANDS, type Command, EVERYWHERE, OPTIONS } from './commands.ts';
import type { VerbContext } from './verbs/context.ts';
import { projectsOf, triggersOf } from './verbs/names.ts';
import { projectFiles } from './verbs/project-files.ts';
import { accessRunningServer } from './verbs/service-access.ts';
import { FAILURES } from './verbs/simulate-options.ts';

const VALUES: Readonly<Record<string, readonly string[]>> = {
  'log-level': ['debug', 'info', 'warn', 'error'],
  'log-format': ['auto', 'pretty', 'json'],
  level: ['debug', 'info', 'warn', 'error'],
  runtime: ['claude', 'openai', 'external'],
  protocol: ['acp', 'text'],
  source: ['trigger', 'schedule'],
  'fail-on': FAILURES,
  from: ['embedded'],
  to: ['postgres'],
};

/**
 * Completions for the last word of a command line: commands, options and their values, projects and triggers.
 *
 * @param words the words after the program name, including the incomplete last one
 * @param contextOf the context of a command with these options
 */
export async function completionsOf(
  words: readonly string[],
  contextOf: (options: Readonly<Record<string, string>>) => Promise<VerbContext>,
): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  // Bash splits words there.
  const before = words.slice(0, -1).filter((word) => word !== '=');
  const { name, given, options, open } = read(before);
  const fits = (all: readonly string[]): string[] => all.filter((one) => one.startsWith(begun));
  if (open === 'project') return fits(await names('project', [], () => contextOf(options)));
  if (open !== null) return fits(VALUES[open] ?? []);
  if (name === null) return fits([...Object.keys(COMMANDS), 'help']);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (begun.startsWith('-')) return fits(optionsOf(command));
  if (name === 'help') return given.length === 0 ? fits(Object.keys(COMMANDS)) : [];
  const kind = command?.takes[given.length];
  if (kind === undefined) return [];
  // A word that starts like an option would be parsed as one.
  const all = await names(kind, given, () => contextOf(options));
  return fits(all).filter((one) => !one.startsWith('-'));
}

interface Read {
  readonly name: string | null;
  /** Arguments of the command. */
  readonly given: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** The option whose value is expected next. */
  readonly open: string | null;
}

function read(words: readonly string[]): Read {
  const options: Record<string, string> = {};
  const plain: string[] = [];
  let open: string | null = null;
  for (const word of words) {
    if (open !== null) {
      options[open] = word;
      open = null;
      continue;
    }
    const [, option, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (option === undefined) {
      if (!word.startsWith('-')) plain.push(word);
    } else if (value !== undefined) options[option] = value;
    else if (isValued(option)) open = option;
  }
  const [name = null, ...given] = plain;
  return { name, given, options, open };
}

function isValued(option: string): boolean {
  return Object.entries(OPTIONS).some(([name, { type }]) => name === option && type === 'string');
}

function optionsOf(command: Command | undefined): string[] {
  return [...(command?.options ?? []), ...EVERYWHERE].map((name) => `--${name}`).sort();
}

async function names(
  kind: ArgumentKind,
  given: readonly string[],
  context: () => Promise<VerbContext>,
): Promise<readonly string[]> {
  if (typeof kind !== 'string') return kind;
  // Shells complete these themselves.
  if (kind === 'folder' || kind === 'file') return [];
  if (kind === 'command') return Object.keys(COMMANDS);
  const made = await context();
  const service = await accessRunningServer(made).catch(() => null);
  if (kind === 'trigger') {
    const project = given.at(-1) ?? '';
    return service === null ? triggersWritten(made, project) : triggersOf(service, project);
  }
  if (service !== null) return projectsOf(service);
  return (await readdir(made.home.projects)).filter(isSlug).sort();
}

// Works without a server, from the file.
async function triggersWritten(context: VerbContext, project: string): Promise<readonly string[]> {
  if (!isSlug(project)) return [];
  const [file = ''] = await projectFiles(context, project);
  const parsed = parseProject(await readFile(file, 'utf8'));
  if (!parsed.ok) return [];
  const { triggers, schedules, invalid } = parsed.value;
  return [...triggers.keys(), ...schedules.keys(), ...invalid.map(({ name }) => name)];
}
