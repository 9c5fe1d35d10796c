/** One shell command to run. */
interface ShellCommand {
  readonly command: string;
  /** Milliseconds until it is ended. */
  readonly timeoutMs: number;
}

/** How a shell command ended. */
export type ShellEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string }
  | { readonly kind: 'signalled'; readonly signal: string; readonly output: string }
  | { readonly kind: 'timed_out'; readonly output: string }
  | { readonly kind: 'stopped'; readonly output: string }
  | { readonly kind: 'not_started'; readonly reason: string };

/** The shell of one turn. */
export interface Shell {
  /** Runs a command; resolves when it has ended, or was ended with all that it started. */
  run(command: ShellCommand, signal: AbortSignal): Promise<ShellEnd>;
  /** Ends everything that the turn's commands left running. */
  close(): Promise<void>;
}
