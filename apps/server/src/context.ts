import { dirname, join, relative, resolve } from 'node:path';
import { CommandError, type CommandLine, type Environment, UsageError } from '@svc/cli';
import { type Issue, sentenceOf } from '@svc/core';
import { resolveSettings } from '@svc/settings';
import { ServerError } from './errors.ts';
import {
  type Home,
  homeAt,
  issuesText,
  readConfigFile,
  requireFolder,
  withProjectsIn,
} from './home.ts';
import { createHomeService } from './home-service.ts';
import type { ProcessFacts, VerbContext } from './verb-context.ts';

const SETTING_OPTIONS = [
  ['host', 'server.host'],
  ['port', 'server.port'],
  ['log-level', 'log.level'],
  ['log-format', 'log.format'],
] as const;

/**
 * Determines the home and the settings of a command.
 *
 * @param parts `repository`: the folder of the repository of this program
 * @throws UsageError for an option that is not valid, CommandError or ServerError for a configuration that is not
 */
export async function contextOf(
  { repository, ...facts }: ProcessFacts & { readonly repository: string },
  line: CommandLine,
): Promise<VerbContext> {
  const { options } = line;
  const textOf = (name: string): string | undefined => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  for (const name of ['home', 'config']) {
    if (textOf(name)?.trim() === '') throw new UsageError(`--${name} is empty. Give a path.`);
  }
  const env = withoutPackagePaths(facts.env, repository);
  // An empty variable counts as unset.
  const folder = textOf('home') ?? (env['SVC_HOME'] || './.svc-home');
  const home = homeAt(folder, textOf('config') ?? (env['SVC_CONFIG'] || null));
  const flags: Record<string, string> = {};
  for (const [option, key] of SETTING_OPTIONS) {
    const value = textOf(option);
    if (value !== undefined) flags[key] = value;
  }
  let hadFile = false;
  const readSettings = async () => {
    const file = await readConfigFile(home);
    if (file === null && hadFile) {
      throw new ServerError('config_unreadable', `${home.config} no longer exists.`);
    }
    hadFile = file !== null;
    return resolveSettings({ flags, env, file });
  };
  const resolved = await readSettings();
  if (!resolved.ok) throw settingFault(home, flags, resolved.issues);
  const { settings, warnings, sourced } = resolved;
  const placed = withProjectsIn(home, settings.projects);
  const own = { ...line, ...facts, env, home: placed, settings };
  const projects = async () => (await import('./internals.ts')).createHomeProjects(own);
  return {
    ...{ ...own, sourced, warnings, readSettings, limits: settings.limits },
    service: createHomeService(own),
    management: {
      settings: settings.managementApi,
      configFile: home.config,
      envFile: settings.envFile === null ? null : resolve(home.root, settings.envFile),
      async report() {
        if (!home.configIsNamed) await requireFolder(home);
        return (await import('./internals.ts')).readManagement(home, settings, env);
      },
    },
    projects: {
      folder: async (options) => (await projects()).folder(options),
      rules: async () => (await projects()).rules(),
      promptRemarks: async () => (await projects()).promptRemarks(),
    },
  };
}

// An invalid value on the command line is a usage error; one from elsewhere is a problem of the home.
function settingFault(
  home: Home,
  flags: Readonly<Record<string, string>>,
  issues: readonly Issue[],
): Error {
  for (const [option, key] of SETTING_OPTIONS) {
    const issue = issues.find(({ path }) => path === key);
    if (issue === undefined || flags[key] === undefined) continue;
    return new UsageError(sentenceOf({ ...issue, path: `--${option}` }, ''));
  }
  return new CommandError(issuesText(home, issues));
}

/**
 * The environment without the PATH entries that npm or pnpm added when they started this program from its repository:
 * the programs of that repository and of its parent folders.
 */
export function withoutPackagePaths(env: Environment, repository: string): Environment {
  const { PATH } = env;
  if (PATH === undefined || env['npm_lifecycle_event'] === undefined) return env;
  const entries = PATH.split(':');
  const first = entries.findIndex((entry) => !isAdded(entry, repository));
  return { ...env, PATH: first === -1 ? '' : entries.slice(first).join(':') };
}

function isAdded(entry: string, repository: string): boolean {
  if (/\/node-gyp-bin\/?$/.test(entry)) return true;
  if (!entry.endsWith(join('node_modules', '.bin'))) return false;
  const owner = dirname(dirname(entry));
  return isWithin(owner, repository) || isWithin(repository, owner);
}

function isWithin(inner: string, outer: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith('../');
}
