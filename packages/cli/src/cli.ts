import { messageOf, SvcError } from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';
import type { Command } from './command.ts';
import { completionsOf } from './completion.ts';
import type { CommandContext, CommandLine, StopRequests } from './context.ts';
import { helpOf, overviewOf } from './help.ts';
import { checkArguments, parseLine, readWords } from './parsing.ts';
import {
  CommandError,
  type ExitCode,
  plainTerminal,
  type RawTerminal,
  type Terminal,
  UsageError,
} from './terminal.ts';

/** Dependencies of the command line. */
export interface CliParts<C extends CommandContext> extends StopRequests {
  /** All commands, in the order of the help. */
  readonly commands: readonly Command<C>[];
  /** Determines what a command needs. May fail, for example if the configuration is not valid. */
  readonly contextOf: (line: CommandLine) => Promise<C>;
  readonly terminal: RawTerminal;
  readonly version: string;
}

/** A command line. */
export interface Cli {
  /** Runs a command and returns its exit code. Errors are one line on stderr. */
  run(words: readonly string[]): Promise<ExitCode>;
}

/** Creates the command line `svc` of the given commands. */
export function createCli<C extends CommandContext>(parts: CliParts<C>): Cli {
  const terminal = plainTerminal(parts.terminal);
  return {
    async run(words) {
      try {
        return await dispatch(parts, terminal, words);
      } catch (error) {
        const usage = error instanceof UsageError;
        const known = usage || error instanceof CommandError || error instanceof SvcError;
        const message = messageOf(error).replace(/\s*\n\s*/g, ' ');
        const hint = usage ? ' See svc --help.' : '';
        terminal.error(`svc: ${known ? '' : 'internal error: '}${message}${hint}`);
        return usage ? 2 : 1;
      }
    },
  };
}

// Called by the scripts of `svc completion`.
const COMPLETE = '__complete';
const HELP = 'help';

async function dispatch<C extends CommandContext>(
  parts: CliParts<C>,
  terminal: Terminal,
  words: readonly string[],
): Promise<ExitCode> {
  const { commands, contextOf, version, stopRequested, stopAtOnce } = parts;
  const line = { terminal, version, stopRequested, stopAtOnce };
  if (words[0] === COMPLETE) {
    const contextWith = (options: CommandLine['options']) =>
      contextOf({ ...line, arguments: [], options, repeated: {} });
    const found = await completionsOf(words.slice(1), commands, contextWith).catch(() => []);
    for (const one of found) terminal.out(one);
    return 0;
  }
  const { name, place, given } = readWords(words, commands);
  const asked = name === HELP ? (given[0] ?? null) : name;
  const command = asked === null ? null : commandNamed(asked, commands);
  const rest = name === null ? words : words.toSpliced(place, 1);
  const parsed = parseLine(rest, command, commands);
  if (parsed.options['version'] === true) {
    terminal.out(version);
    return 0;
  }
  if (name === HELP || parsed.options['help'] === true) {
    const { columns } = terminal;
    terminal.text(command === null ? overviewOf(commands, columns) : helpOf(command, columns));
    return 0;
  }
  if (command === null) throw new UsageError('a command is required, for example svc serve.');
  checkArguments(command, parsed.arguments);
  const { stopsWithinMs = 0 } = command;
  // Reading a file may hang as well, for example on an unavailable file server or a pipe.
  const reading = Math.min(stopsWithinMs, MAX_READING_MS);
  const context = await untilLeft(line, reading, contextOf({ ...line, ...parsed }));
  return untilLeft(line, stopsWithinMs, command.run(context));
}

const MAX_READING_MS = 2_000;

/**
 * The end of work, or the time at which it is abandoned: some time after the process was asked to stop, or at a second
 * request.
 */
async function untilLeft<T>(requests: StopRequests, ms: number, work: Promise<T>): Promise<T> {
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

function commandNamed<C extends CommandContext>(
  name: string,
  commands: readonly Command<C>[],
): Command<C> {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command;
  const known = commands.map((one) => one.name);
  throw new UsageError(`unknown command ${name}.${didYouMean(name, known)}`);
}
