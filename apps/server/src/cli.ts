import { parseArgs } from 'node:util';
import { type Issue, messageOf, SvcError, sentenceOf } from '@svc/core';
import { withoutPackagePaths } from './agent-path.ts';
import { didYouMean } from './did-you-mean.ts';
import { ServerError } from './errors.ts';
import { HELP, VERB_HELP } from './help.ts';
import { type Home, homeAt, readConfigFile, withProjectsIn } from './home.ts';
import { issuesText } from './management.ts';
import { resolveSettings } from './settings.ts';
import type { StopWishes } from './stop-wishes.ts';
import {
  CommandError,
  type ExitCode,
  plainTerminal,
  type Terminal,
  UsageError,
} from './terminal.ts';
import { alertsVerb } from './verbs/alerts.ts';
import type { VerbContext } from './verbs/context.ts';
import { doctorVerb } from './verbs/doctor.ts';
import { fireVerb } from './verbs/fire.ts';
import { initVerb } from './verbs/init.ts';
import { migrateStoreVerb } from './verbs/migrate-store.ts';
import { pauseVerb, resumeVerb } from './verbs/pausing.ts';
import { previewVerb } from './verbs/preview.ts';
import { serveVerb } from './verbs/serve.ts';
import { statusVerb } from './verbs/status.ts';
import { tokenVerb } from './verbs/token.ts';
import { validateVerb } from './verbs/validate.ts';
import { whyVerb } from './verbs/why.ts';

/** What the command line runs with. */
export interface CliParts extends StopWishes {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly version: string;
  /** Folder of the repository that this program belongs to. */
  readonly repository: string;
  /** Has a function called whenever the process is asked to read its configuration again. */
  readonly onReload: (reload: () => void) => void;
  /** Has the process find out the time zone of the host again. */
  readonly redetectZone: () => void;
}

type Verb = (context: VerbContext) => ExitCode | Promise<ExitCode>;

const VERBS: Readonly<Record<string, { run: Verb; options: readonly string[] }>> = {
  serve: { run: serveVerb, options: ['host', 'port', 'init', 'log-level', 'log-format'] },
  init: { run: initVerb, options: ['runtime', 'model', 'base-url', 'command', 'protocol'] },
  doctor: { run: doctorVerb, options: [] },
  status: { run: statusVerb, options: ['json'] },
  validate: { run: validateVerb, options: [] },
  preview: { run: previewVerb, options: ['timezone', 'count'] },
  fire: { run: fireVerb, options: ['wait', 'timeout', 'event'] },
  pause: { run: pauseVerb, options: ['reason', 'stop-running'] },
  resume: { run: resumeVerb, options: [] },
  alerts: { run: alertsVerb, options: [] },
  why: { run: whyVerb, options: ['at', 'source'] },
  'migrate-store': { run: migrateStoreVerb, options: ['from', 'to'] },
  token: { run: tokenVerb, options: [] },
};

const OPTIONS = {
  home: { type: 'string' },
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'log-level': { type: 'string' },
  'log-format': { type: 'string' },
  timezone: { type: 'string' },
  count: { type: 'string' },
  runtime: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  command: { type: 'string' },
  protocol: { type: 'string' },
  event: { type: 'string' },
  reason: { type: 'string' },
  at: { type: 'string' },
  source: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  timeout: { type: 'string' },
  'stop-running': { type: 'boolean' },
  init: { type: 'boolean' },
  wait: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Runs one command and tells how it ended. Errors are one line on the error output. */
export async function runCli(given: CliParts): Promise<ExitCode> {
  const parts = { ...given, terminal: plainTerminal(given.terminal) };
  try {
    return await dispatch(parts);
  } catch (error) {
    const usage = error instanceof UsageError;
    const known = usage || error instanceof CommandError || error instanceof SvcError;
    const message = messageOf(error).replace(/\s*\n\s*/g, ' ');
    const hint = usage ? ' See svc --help.' : '';
    parts.terminal.error(
      `svc: ${known ? '' : 'something went wrong inside svc: '}${message}${hint}`,
    );
    return usage ? 2 : 1;
  }
}

async function dispatch(parts: CliParts): Promise<ExitCode> {
  const { values, positionals } = parsed(parts.arguments);
  const asksForHelp = values.help === true || positionals[0] === 'help';
  const [name, ...rest] = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  if (values.version) {
    parts.terminal.out(parts.version);
    return 0;
  }
  if (name === undefined) {
    if (!asksForHelp) throw new UsageError('say what to do, for example: svc serve.');
    parts.terminal.out(HELP);
    return 0;
  }
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) {
    throw new UsageError(`there is no command ${name}.${didYouMean(name, Object.keys(VERBS))}`);
  }
  if (asksForHelp) {
    parts.terminal.out(VERB_HELP[name] ?? HELP);
    return 0;
  }
  checkOptions(name, verb.options, values);
  return verb.run(await contextOf(parts, values, rest));
}

type Values = ReturnType<typeof parsed>['values'];

function parsed(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const message = messageOf(error).split('. ')[0] ?? 'wrong options';
    const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
    const hint = unknown === undefined ? '' : didYouMean(unknown, Object.keys(OPTIONS));
    throw new UsageError(`${message}.${hint.replace('mean ', 'mean --')}`);
  }
}

const EVERYWHERE = ['home', 'config', 'help', 'version'];

function checkOptions(verb: string, legal: readonly string[], values: Values): void {
  for (const option of Object.keys(values)) {
    if (EVERYWHERE.includes(option) || legal.includes(option)) continue;
    throw new UsageError(`${verb} has no option --${option}.`);
  }
}

const SETTING_OPTIONS = [
  ['host', 'server.host'],
  ['port', 'server.port'],
  ['log-level', 'log.level'],
  ['log-format', 'log.format'],
] as const;

// A value on the command line that cannot be is wrong usage; one from elsewhere is a fault of the home.
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

async function contextOf(
  parts: CliParts,
  values: Values,
  rest: readonly string[],
): Promise<VerbContext> {
  const env = withoutPackagePaths(parts.env, parts.repository);
  const folder = values.home ?? env['SVC_HOME'] ?? './.svc-home';
  const home = homeAt(folder, values.config ?? env['SVC_CONFIG'] ?? null);
  const flags: Record<string, string> = {};
  for (const [option, key] of SETTING_OPTIONS) {
    const value = values[option];
    if (value !== undefined) flags[key] = value;
  }
  let hadFile = false;
  const readSettings = async () => {
    const file = await readConfigFile(home);
    if (file === null && hadFile) {
      throw new ServerError('config_unreadable', `${home.config} is not there any more.`);
    }
    hadFile = file !== null;
    return resolveSettings({ flags, env, file });
  };
  const resolved = await readSettings();
  if (!resolved.ok) throw settingFault(home, flags, resolved.issues);
  const { settings, warnings, sourced } = resolved;
  const placed = withProjectsIn(home, settings.projects);
  const read = { home: placed, settings, sourced, warnings, readSettings };
  return { ...parts, env, ...read, arguments: rest, options: { ...values } };
}
