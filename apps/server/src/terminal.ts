import { printable } from '@svc/core';

/** Where a command writes; each line ends with a line break that the terminal adds. */
export interface Terminal extends RawTerminal {
  /** Writes the lines of a text, one after the other. */
  text(text: string): void;
}

/** What a terminal is made of. */
export interface RawTerminal {
  /** Whether a person sees what `out` says. */
  readonly isTerminal: boolean;
  /** How many columns it has; null where nobody sees it, and lines may be as long as they are. */
  readonly columns: number | null;
  /** Whether it shows colors, and whoever uses it wants them. */
  readonly hasColors: boolean;
  /** Whether the journal of systemd reads what `out` says. Default: it does not. */
  readonly isJournal?: boolean;
  /** Whether `out` and `error` go to the same place. Default: they do not. */
  readonly isMixed?: boolean;
  out(line: string): void;
  /** As `out`, for a line that has colors and whose words are plain already. */
  colored(line: string): void;
  /** For people, beside what `out` says. */
  error(line: string): void;
}

/**
 * The same terminal for words that others have written, such as names, prompts and reasons: each call writes one line, with
 * every character escaped that is not printable, and no line is a command to a CI system.
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

/** A line with every character escaped that is not printable, and without a command to a CI system. JSON keeps its value. */
export function plainLine(line: string): string {
  return withoutCommand(printable(line));
}

// What GitHub Actions (`::error::`, `##[error]`), Azure Pipelines and TeamCity take for a command, where they look for it.
const COMMAND = /^((?:\p{Cc}\[[\d;]*m|\s)*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))/gmu;

function withoutCommand(line: string): string {
  return line.replace(COMMAND, (_, before?: string) =>
    before === undefined ? '\\u0023' : `${before}\\u003a`,
  );
}

/** How a command ended: 0 fine, 1 failed, 2 usage error. */
export type ExitCode = 0 | 1 | 2;

/** Thrown when a command was called in a way it cannot understand; exit code 2. */
export class UsageError extends Error {}

/** Thrown when a command could not do what it was asked; exit code 1. */
export class CommandError extends Error {}
