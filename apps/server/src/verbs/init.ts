import { appendFile, readFile } from 'node:fs/promises';
import { CommandError, type ExitCode, printResult, UsageError } from '@svc/cli';
import { messageOf, sentencesOf } from '@svc/core';
import { type RuntimeBlock, resolveSettings, runtimeBlock } from '@svc/settings';
import { readYaml } from '@svc/trigger-schema';
import {
  type Home,
  homeAt,
  initHome,
  issuesText,
  isUsed,
  readConfigFile,
  withProjectsIn,
} from '../home.ts';
import { readLastUse } from '../last-use.ts';
import type { VerbContext } from '../verb-context.ts';

/**
 * Creates a home with a configuration file and a sample project. With `--runtime` it also adds the settings of the runtime,
 * even to an existing home.
 */
export async function initVerb(context: VerbContext): Promise<ExitCode> {
  const folder = context.arguments[0];
  if (folder?.trim() === '') throw new UsageError('The folder is empty. Give a path, or omit it.');
  const home = folder === undefined ? context.home : await homeIn(folder, context.env);
  const block = blockOf(context.options, await isUsed(home));
  const filled = await initHome(home, block);
  const isNew = filled !== 'nothing';
  const lines: string[] = [];
  if (filled === 'sample') lines.push(`Created ${home.root} with the project hello.`);
  else if (isNew) lines.push(`Created ${home.root} for the projects in ${home.projects}.`);
  else if (block === null) {
    const isElsewhere = home.projectsAreNamed || (await readLastUse(home)) !== null;
    const what = isElsewhere ? 'is already a home' : 'already contains projects';
    throw new CommandError(`${home.root} ${what}. Nothing was changed.`);
  }
  // A new home may contain a configuration file already.
  if (block !== null) {
    await addBlock(home, block, isNew, context.terminal.error);
    lines.push(`Wrote the settings of the ${block.runtime} runtime to ${home.config}.`);
  }
  lines.push(...nextSteps(home, block));
  const { root, config, projects } = home;
  const made = { home: root, config, projects, isNew, runtime: block?.runtime ?? null };
  printResult(context, made, lines);
  return 0;
}

function nextSteps({ root }: Home, block: RuntimeBlock | null): string[] {
  if (block === null) {
    return [
      'No model is configured, so prompts must contain their steps in ```bash blocks. Add a model with svc init --runtime.',
      `Start it with: svc serve --home ${root}`,
    ];
  }
  return [
    ...block.next.map((line) => line.replace('HOME', root)),
    `Check it with:     svc doctor --home ${root}`,
    `Start it with:     svc serve --home ${root}`,
  ];
}

// `projects.dir` of that home applies, not the one of the home in the environment of this command.
async function homeIn(folder: string, env: VerbContext['env']): Promise<Home> {
  const home = homeAt(folder, null);
  const resolved = resolveSettings({ flags: {}, env, file: await readConfigFile(home) });
  if (!resolved.ok) throw new CommandError(issuesText(home, resolved.issues));
  return withProjectsIn(home, resolved.settings.projects);
}

function blockOf(options: VerbContext['options'], isUsed: boolean): RuntimeBlock | null {
  const given = (name: string): string | null => {
    const value = options[name];
    return typeof value === 'string' ? value : null;
  };
  const kind = given('runtime');
  const parts = {
    model: given('model'),
    baseUrl: given('base-url'),
    command: given('command'),
    protocol: given('protocol'),
  };
  if (kind === null) {
    const unused = ['model', 'base-url', 'command', 'protocol'].find(
      (name) => given(name) !== null,
    );
    if (unused !== undefined) throw new UsageError(`--${unused} requires --runtime.`);
    return null;
  }
  const made = runtimeBlock({ kind, ...parts, isUsed });
  if (!made.ok) throw new UsageError(sentencesOf(made.issues, 'init'));
  const checked = resolveSettings({ flags: {}, env: {}, file: made.value.text });
  if (!checked.ok) throw new UsageError(sentencesOf(checked.issues, 'The runtime'));
  return made.value;
}

/** Appends the settings to the configuration file, unless they are already in it. */
async function addBlock(
  home: Home,
  block: RuntimeBlock,
  isNew: boolean,
  print: (line: string) => void,
): Promise<void> {
  const text = await readFile(home.config, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new CommandError(`${home.config} cannot be read: ${messageOf(error)}.`);
  });
  if (isNew && text.endsWith(block.text)) return;
  const read = readYaml(text);
  if (!read.ok || read.value.document?.has('runtime') === true) {
    const why = read.ok ? 'already has runtime settings' : 'is not valid YAML';
    print('Add these lines yourself:');
    for (const line of block.text.trimEnd().split('\n')) print(line);
    throw new CommandError(`${home.config} ${why}, so it was not changed.`);
  }
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(home.config, `${gap}${block.text}`);
}
