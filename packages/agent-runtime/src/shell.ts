/** One shell command to run. */
interface ShellCommand {
  readonly command: string;
  /** Timeout in milliseconds. */
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
  /** Runs a command. Resolves when it has exited, or has been ended with all its child processes. */
  run(command: ShellCommand, signal: AbortSignal): Promise<ShellEnd>;
  /** Ends all processes that the commands of the turn left running. */
  close(): Promise<void>;
}
