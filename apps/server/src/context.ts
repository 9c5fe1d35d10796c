import { CommandError, type CommandLine, UsageError } from '@svc/cli';
import { type Issue, sentenceOf } from '@svc/core';
import { resolveSettings } from '@svc/settings';
import { withoutPackagePaths } from './agent-path.ts';
import { ServerError } from './errors.ts';
import { type Home, homeAt, issuesText, readConfigFile, withProjectsIn } from './home.ts';
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
  const env = withoutPackagePaths(facts.env, repository);
  const folder = textOf('home') ?? env['SVC_HOME'] ?? './.svc-home';
  const home = homeAt(folder, textOf('config') ?? env['SVC_CONFIG'] ?? null);
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
