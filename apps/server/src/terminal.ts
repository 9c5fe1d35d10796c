/** Where a command writes. */
export interface Terminal {
  /** Whether a person sees what `out` says. */
  readonly isTerminal: boolean;
  /** How many columns it has; null where nobody sees it, and lines may be as long as they are. */
  readonly columns: number | null;
  /** Whether it shows colors, and whoever uses it wants them. */
  readonly hasColors: boolean;
  out(line: string): void;
  /** As `out`, for a line that has colors and whose words are plain already. */
  colored(line: string): void;
  /** For people, beside what `out` says. */
  error(line: string): void;
}

/** The same terminal, without what it would take for a command: names, prompts and reasons are other people's words. */
export function plainTerminal({ out, error, ...rest }: Terminal): Terminal {
  return { ...rest, out: (line) => out(plain(line)), error: (line) => error(plain(line)) };
}

function plain(line: string): string {
  return line.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

/** How a command ended: 0 fine, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Thrown when a command was called in a way it cannot understand; exit code 2. */
export class UsageError extends Error {}

/** Thrown when a command could not do what it was asked; exit code 1. */
export class CommandError extends Error {}
