import { parseArgs } from 'node:util';
import { type Issue, messageOf, SvcError, sentenceOf } from '@svc/core';
import { withoutPackagePaths } from './agent-path.ts';
import { COMMANDS, type Command, EVERYWHERE, OPTIONS } from './commands.ts';
import { completionsOf } from './complete.ts';
import { didYouMean } from './did-you-mean.ts';
import { ServerError } from './errors.ts';
import { HELP, VERB_HELP } from './help.ts';
import { type Home, homeAt, readConfigFile, withProjectsIn } from './home.ts';
import { issuesText } from './management.ts';
import type { ProcessTimeZone } from './process-time-zone.ts';
import type { ManagerSettings } from './service-manager.ts';
import { resolveSettings } from './settings.ts';
import type { StopRequests } from './shutdown-signals.ts';
import {
  CommandError,
  type ExitCode,
  plainTerminal,
  type RawTerminal,
  type Terminal,
  UsageError,
} from './terminal.ts';
import type { VerbContext } from './verbs/context.ts';

/** Dependencies of the command line. */
export interface CliParts extends Omit<CommandParts, 'terminal'> {
  readonly terminal: RawTerminal;
}

interface CommandParts extends StopRequests {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly version: string;
  /** Folder of the repository of this program. */
  readonly repository: string;
  /** Registers a function that is called whenever the process is asked to reload its configuration. */
  readonly onReload: (reload: () => void) => void;
  /** The time zone of the process. */
  readonly processZone: ProcessTimeZone;
  /** How to notify the service manager. Default: no notifications. */
  readonly manager?: ManagerSettings | null;
}

/** Runs a command and returns its exit code. Errors are one line on stderr. */
export async function runCli(given: CliParts): Promise<ExitCode> {
  const parts = { ...given, terminal: plainTerminal(given.terminal) };
  try {
    return await dispatch(parts);
  } catch (error) {
    const usage = error instanceof UsageError;
    const known = usage || error instanceof CommandError || error instanceof SvcError;
    const message = messageOf(error).replace(/\s*\n\s*/g, ' ');
    const hint = usage ? ' See svc --help.' : '';
    parts.terminal.error(`svc: ${known ? '' : 'internal error: '}${message}${hint}`);
    return usage ? 2 : 1;
  }
}

async function dispatch(parts: CommandParts): Promise<ExitCode> {
  if (parts.arguments[0] === COMPLETE) return complete(parts);
  const { values, positionals } = parsed(parts.arguments);
  const asksForHelp = values.help === true || positionals[0] === 'help';
  const [name, ...rest] = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  if (values.version) {
    parts.terminal.out(parts.version);
    return 0;
  }
  if (name === undefined) {
    if (!asksForHelp) throw new UsageError('a command is required, for example svc serve.');
    parts.terminal.text(HELP);
    return 0;
  }
  const command = commandNamed(name);
  if (asksForHelp) {
    parts.terminal.text(VERB_HELP[name] ?? HELP);
    return 0;
  }
  checkOptions(name, command.options, values);
  const { stopsWithinMs = 0 } = command;
  // Reading a file may hang as well, for example on an unavailable file server or a pipe.
  const reading = Math.min(stopsWithinMs, MAX_READING_MS);
  const context = await untilLeft(parts, reading, contextOf(parts, values, rest));
  return untilLeft(parts, stopsWithinMs, command.run(context));
}

const MAX_READING_MS = 2_000;

/**
 * The end of work, or the time at which it is abandoned: some time after the process was asked to stop, or at a second
 * request.
 */
async function untilLeft<T>(requests: StopRequests, ms: number, work: T | Promise<T>): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const leave = async (): Promise<never> => {
    await requests.stopRequested;
    if (isDone) return new Promise(() => {});
    const later = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    if (ms > 0) await Promise.race([later, requests.stopAtOnce]);
    throw new CommandError('Stopped.');
  };
  try {
    return await Promise.race([work, leave()]);
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command;
  throw new UsageError(`unknown command ${name}.${didYouMean(name, Object.keys(COMMANDS))}`);
}

// Called by the scripts of `svc completion`.
const COMPLETE = '__complete';

async function complete(parts: CommandParts): Promise<ExitCode> {
  const contextWith = (options: object) => contextOf(parts, options, []);
  const found = await completionsOf(parts.arguments.slice(1), contextWith).catch(() => []);
  for (const one of found) parts.terminal.out(one);
  return 0;
}

type Values = ReturnType<typeof parsed>['values'];

function parsed(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const message = messageOf(error).split('. ')[0] ?? 'wrong options';
    const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
    const hint = unknown === undefined ? '' : didYouMean(unknown, Object.keys(OPTIONS));
    const said = message.replace(/^Unknown/, 'unknown');
    throw new UsageError(`${said}.${hint.replace('mean ', 'mean --')}`);
  }
}

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

async function contextOf(
  parts: CommandParts,
  values: Partial<Values>,
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
      throw new ServerError('config_unreadable', `${home.config} no longer exists.`);
    }
    hadFile = file !== null;
    return resolveSettings({ flags, env, file });
  };
  const resolved = await readSettings();
  if (!resolved.ok) throw settingFault(home, flags, resolved.issues);
  const { settings, warnings, sourced } = resolved;
  const placed = withProjectsIn(home, settings.projects);
  const read = { home: placed, settings, sourced, warnings, readSettings };
  return { ...parts, env, ...read, arguments: rest, ...givenOnceOrMore(values) };
}

function givenOnceOrMore(values: Partial<Values>): Pick<VerbContext, 'options' | 'repeated'> {
  const options: Record<string, string | boolean> = {};
  const repeated: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) repeated[name] = value;
    else options[name] = value;
  }
  return { options, repeated };
}
