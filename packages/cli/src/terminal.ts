import { printable } from '@svc/core';

/** Output of a command. */
export interface Terminal extends RawTerminal {
  /** Prints a text line by line. */
  text(text: string): void;
}

/** Properties and output functions of a terminal. */
export interface RawTerminal {
  /** Whether `out` writes to a terminal. */
  readonly isTerminal: boolean;
  /** Width in columns; null: not a terminal, lines are not truncated. */
  readonly columns: number | null;
  /** Whether colors are supported and not disabled. */
  readonly hasColors: boolean;
  /** Whether `out` writes to the systemd journal. Default: false. */
  readonly isJournal?: boolean;
  /** Whether `out` and `error` write to the same file. Default: false. */
  readonly isMixed?: boolean;
  out(line: string): void;
  /** Prints a line with color sequences, whose texts are already escaped. */
  colored(line: string): void;
  /** Prints a message for people to standard error. */
  error(line: string): void;
}

/**
 * A terminal for untrusted text such as names, prompts and reasons: each call prints one line, with non-printable characters
 * escaped, and no line is interpreted as a command by a CI system.
 */
export function plainTerminal({ out, error, colored, ...rest }: RawTerminal): Terminal {
  const writeLine = (line: string): void => out(plainLine(line));
  return {
    ...rest,
    out: writeLine,
    colored: (line) => colored(withoutCommand(line)),
    error: (line) => error(plainLine(line)),
    text: (text) => text.split(/\r?\n/).forEach(writeLine),
  };
}

/** A line with non-printable characters escaped and workflow commands of CI systems defused. JSON keeps its value. */
export function plainLine(line: string): string {
  return withoutCommand(printable(line));
}

// Workflow commands of GitHub Actions (`::error::`, `##[error]`), Azure Pipelines and TeamCity.
const COMMAND = /^((?:\p{Cc}\[[\d;]*m|\s)*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))/gmu;

function withoutCommand(line: string): string {
  return line.replace(COMMAND, (_, before?: string) =>
    before === undefined ? '\\u0023' : `${before}\\u003a`,
  );
}

/** Exit code of a command: 0 success, 1 failure, 2 usage error. */
export type ExitCode = 0 | 1 | 2;

/** Invalid arguments; exit code 2. */
export class UsageError extends Error {}

/** The command failed; exit code 1. */
export class CommandError extends Error {}
