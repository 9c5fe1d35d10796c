import { createCli } from '@svc/cli';
import { COMMANDS } from '../src/commands.ts';
import { contextOf } from '../src/context.ts';

/** The output and the exit code of a command. */
export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command in this process, with a terminal of the given width or, by default, without one. */
export async function svc(
  given: readonly string[],
  options: CommandOptions = {},
): Promise<CommandOutput> {
  const { code, out, error } = await runLines(given, options);
  return { code, out: out.join('\n'), error: error.join('\n') };
}

interface CommandOptions {
  readonly columns?: number | null;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: a folder that is no repository. */
  readonly repository?: string;
  readonly stop?: Promise<void>;
  readonly stopAtOnce?: Promise<void>;
  readonly onLine?: (line: string) => void;
}

/** The same, with the lines of the output. */
export async function runLines(
  given: readonly string[],
  {
    columns = null,
    env = {},
    repository = '/nowhere',
    stop = new Promise<void>(() => {}),
    stopAtOnce = new Promise<void>(() => {}),
    onLine = () => {},
  }: CommandOptions = {},
): Promise<{ code: number; out: string[]; error: string[] }> {
  const out: string[] = [];
  const error: string[] = [];
  const say = (line: string): void => {
    out.push(line);
    onLine(line);
  };
  const facts = {
    ...{ env, repository, onReload: () => {} },
    processZone: { warning: null, file: '/etc/localtime', redetect: () => {} },
  };
  const cli = createCli({
    commands: COMMANDS,
    contextOf: (line) => contextOf(facts, line),
    version: '0.1.0',
    stopRequested: stop,
    stopAtOnce,
    terminal: {
      ...{ isTerminal: columns !== null, columns, hasColors: false },
      ...{ out: say, colored: say, error: (line) => void error.push(line) },
    },
  });
  return { code: await cli.run(given), out, error };
}
