import type { CommandContext } from './context.ts';
import type { ExitCode } from './terminal.ts';

/** What a shell can complete: names, or one of these words. Shells complete folders and files themselves. */
export type Completion = 'project' | 'trigger' | 'folder' | 'file' | readonly string[];

/** The sections of the overview. */
export const GROUPS = ['Get started', 'Inspect', 'Act', 'Set up'] as const;

/** A command: what help, completion and checks know about it, and what it does. */
export interface Command<C extends CommandContext = CommandContext> {
  readonly name: string;
  /** Its section in the overview. */
  readonly group: (typeof GROUPS)[number];
  /** What it does, in the overview: starts with a verb in lower case. */
  readonly summary: string;
  /**
   * Its arguments, in order, and what completes them; if these are words, it must be one of them. `[NAME]`: it may be left out, with
   * all that follow. `NAME...`: more may follow.
   */
  readonly arguments?: Readonly<Record<string, Completion | null>>;
  /** What it takes, for the error about missing or extra arguments. Default: `options only.` */
  readonly takes?: string;
  /** Its forms in the help, after its name. Default: its arguments. */
  readonly usage?: readonly string[];
  /** Its row in the overview, after its name. Default: its first form. */
  readonly overview?: string;
  /**
   * Its options in addition to the common ones, and what they mean: `--all`, `-f, --follow`, `--limit N` with a value,
   * `--cost USD...` with a value, repeatable.
   */
  readonly options?: Readonly<Record<string, string>>;
  /** What completes the values of options, by their names. */
  readonly values?: Readonly<Record<string, Completion>>;
  /** Whether it also works with a remote server (`--url`, `--token`). Default: false. */
  readonly isRemote?: boolean;
  /** Starts with a verb. Lines of a paragraph are joined; lines that start with a space are not, for examples. */
  readonly description: string;
  /** The output with `--json`. Default: the option does not exist. */
  readonly json?: string;
  /**
   * How long it may take to stop after a request, in milliseconds; then, or at a second request, it is abandoned.
   * `Infinity`: it decides itself. Default: 0.
   */
  readonly stopsWithinMs?: number;
  run(context: C): Promise<ExitCode>;
}

/** Time for a command to report how far it got, which an unresponsive server can delay. */
export const REPORTS_WITHIN_MS = 2_000;

/** An option of a command. */
export interface Option {
  /** Its name without dashes. */
  readonly name: string;
  /** As in the help: `-f, --follow`, `--limit N`. */
  readonly flags: string;
  readonly about: string;
  readonly hasValue: boolean;
  readonly isRepeatable: boolean;
  readonly completion: Completion | null;
}

const JSON_OPTION = { '--json': 'print one JSON value instead of text' };

const REMOTE = {
  '--url URL': 'connect to this server instead of the one running for the home folder',
  '--token env:N':
    "read the access token from environment variable N (the server's auth.mode determines its kind)",
};

const EVERYWHERE = {
  '--home DIR': 'home folder (SVC_HOME; default ./.svc-home)',
  '--config FILE': 'configuration file (SVC_CONFIG; default svc.config.yaml in the home)',
  '-h, --help': 'show this help, or the help of a command: svc help runs',
  '-v, --version': 'print the version',
};

/** Options of every command. */
export const COMMON: readonly Option[] = optionsIn(EVERYWHERE);

/** Options in the overview. */
export const OVERVIEW: readonly Option[] = optionsIn({ ...EVERYWHERE, ...JSON_OPTION });

/** All options of a command, the common ones last. */
export function optionsOf({ options, values, json, isRemote }: Command<never>): readonly Option[] {
  const own = { ...options, ...(json !== undefined && JSON_OPTION) };
  return optionsIn({ ...own, ...(isRemote === true && REMOTE), ...EVERYWHERE }, values);
}

function optionsIn(
  rows: Readonly<Record<string, string>>,
  values: Command['values'] = {},
): readonly Option[] {
  return Object.entries(rows).map(([row, about]) => {
    const [, flags = row, name = '', value, dots] =
      /^((?:-\w, )?--([\w-]+)(?: (\S+?))?)(\.{3})?$/.exec(row) ?? [];
    return {
      ...{ name, flags, about, hasValue: value !== undefined, isRepeatable: dots !== undefined },
      completion: values[name] ?? null,
    };
  });
}

/** An argument of a command. */
type Argument = Pick<Option, 'name' | 'isRepeatable' | 'completion'> & {
  readonly isOptional: boolean;
};

/** The arguments of a command, in order. */
export function argumentsOf({ arguments: given = {} }: Command<never>): readonly Argument[] {
  return Object.entries(given).map(([row, completion]) => {
    const name = row.replace(/^\[|(?:\.{3})?\]?$/g, '');
    return { name, isOptional: row.startsWith('['), isRepeatable: /\.{3}/.test(row), completion };
  });
}

/** The forms of a command, after its name. */
export function usageOf(command: Command<never>): readonly string[] {
  if (command.usage !== undefined) return command.usage;
  // An optional argument brackets all that follow: [PROJECT [TRIGGER]].
  return [
    argumentsOf(command).reduceRight((after, { name, isOptional }) => {
      const text = `${name} ${after}`.trimEnd();
      return isOptional ? `[${text}]` : text;
    }, ''),
  ];
}
