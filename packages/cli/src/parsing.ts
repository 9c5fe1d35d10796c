import { didYouMean } from '@svc/trigger-schema';
import { CommanderError, Command as Parser, Option as ParserOption } from 'commander';
import { argumentsOf, COMMON, type Command, type Option, optionsOf } from './command.ts';
import type { CommandLine } from './context.ts';
import { UsageError } from './terminal.ts';

/** The words of a command line, before its options are checked. */
export interface Words {
  /** The command, and its place; null: there is none. */
  readonly name: string | null;
  readonly place: number;
  /** Words after the command that are not options. */
  readonly given: readonly string[];
  /** Values of options. */
  readonly options: Readonly<Record<string, string>>;
  /** The option whose value is expected next. */
  readonly open: string | null;
}

/** Finds the command and its arguments among options of any command, which may come first. */
export function readWords(words: readonly string[], commands: readonly Command<never>[]): Words {
  const valued = new Set(
    [...COMMON, ...commands.flatMap(optionsOf)]
      .filter(({ hasValue }) => hasValue)
      .map(({ name }) => name),
  );
  const options: Record<string, string> = {};
  const plain: { readonly word: string; readonly place: number }[] = [];
  let open: string | null = null;
  for (const [place, word] of words.entries()) {
    if (open !== null) {
      options[open] = word;
      open = null;
      continue;
    }
    const [, option, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (option === undefined) {
      if (!word.startsWith('-')) plain.push({ word, place });
    } else if (value !== undefined) options[option] = value;
    else if (valued.has(option)) open = option;
  }
  const [command, ...given] = plain;
  return {
    name: command?.word ?? null,
    place: command?.place ?? -1,
    given: given.map(({ word }) => word),
    ...{ options, open },
  };
}

/**
 * Parses the words of a command line, without its command.
 *
 * @param command null: there is none
 * @throws UsageError for an unknown option, and one without its value
 */
export function parseLine(
  words: readonly string[],
  command: Command<never> | null,
  commands: readonly Command<never>[],
): Pick<CommandLine, 'arguments' | 'options' | 'repeated'> {
  const own = command === null ? COMMON : optionsOf(command);
  const parser = new Parser().helpOption(false).exitOverride().allowExcessArguments();
  parser.configureOutput({ writeErr: () => {} }).showSuggestionAfterError(false);
  const collected = (value: string, before: readonly string[] = []) => [...before, value];
  const all = own.map((option) => {
    const { flags, hasValue, isRepeatable } = option;
    // The parser expects the form `--limit <N>`.
    const parsed = new ParserOption(hasValue ? flags.replace(/ (\S+)$/, ' <$1>') : flags);
    if (isRepeatable) parsed.argParser(collected);
    parser.addOption(parsed);
    return { option, key: parsed.attributeName() };
  });
  try {
    parser.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw usageError(error, command, commands);
  }
  const values = parser.opts();
  const options: Record<string, string | boolean> = {};
  const repeated: Record<string, readonly string[]> = {};
  for (const { option, key } of all) {
    if (values[key] === undefined) continue;
    if (option.isRepeatable) repeated[option.name] = values[key];
    else options[option.name] = values[key];
  }
  return { arguments: parser.args, options, repeated };
}

function usageError(
  { message }: CommanderError,
  command: Command<never> | null,
  commands: readonly Command<never>[],
): UsageError {
  const said = message.replace('error: ', '').replace(/[<>]/g, '');
  const unknown = /^unknown option '--([^'=]+)/.exec(said)?.[1];
  if (unknown === undefined) return new UsageError(`${said}.`);
  const own = (command === null ? COMMON : optionsOf(command)).map(({ name }) => name);
  if (own.includes(unknown)) return new UsageError(`option '--${unknown}' does not take a value.`);
  if (command !== null && optionNamed(unknown, commands) !== undefined) {
    return new UsageError(`${command.name} has no option --${unknown}.`);
  }
  return new UsageError(`${said}.${didYouMean(unknown, own).replace('mean ', 'mean --')}`);
}

/**
 * Checks the number of arguments of a command, and those that must be one of its words.
 *
 * @throws UsageError
 */
export function checkArguments(command: Command<never>, given: readonly string[]): void {
  const { name, takes = 'options only.' } = command;
  const all = argumentsOf(command);
  const least = all.filter(({ isOptional }) => !isOptional).length;
  const isLong = given.length > all.length && all.at(-1)?.isRepeatable !== true;
  const isWrong = all.some(({ completion }, i) => {
    const word = given[i];
    return word !== undefined && Array.isArray(completion) && !completion.includes(word);
  });
  if (given.length < least || isLong || isWrong) throw new UsageError(`${name} takes ${takes}`);
}

/** The option of a command by its name, wherever it stands. */
export function optionNamed(name: string, commands: readonly Command<never>[]): Option | undefined {
  return commands.flatMap(optionsOf).find((option) => option.name === name);
}
