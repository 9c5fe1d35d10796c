/** What an error carries beside its message. */
export interface ErrorFacts {
  readonly cause?: unknown;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * Base of every error that a package of this project throws: a stable `code` in snake_case, one of the package's own
 * closed list `C`, the facts as data, and the cause. The message is one sentence that says what to do.
 */
export class SvcError<C extends string = string> extends Error {
  readonly code: C;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: C, message: string, options: ErrorFacts = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

/** The message of anything that was thrown, without its stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * At which level the log is told that something failed: at `debug` where whoever met the cause has told of it, once for all
 * that fails for it, which the error says by its fact `isTold`.
 */
export function troubleLevel<L extends 'warn' | 'error'>(thrown: unknown, level: L): L | 'debug' {
  return thrown instanceof SvcError && thrown.facts['isTold'] === true ? 'debug' : level;
}
