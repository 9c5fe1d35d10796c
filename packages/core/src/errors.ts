/** What an error carries besides its message. */
export interface ErrorFacts {
  readonly cause?: unknown;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * Base class of every error that the packages of this project throw: a stable snake_case `code` from the package's
 * closed list `C`, the facts as data, and the cause. The message says what to do.
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

/** The message of any thrown value, without its stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * The log level for a failure: `debug` if its cause has already been logged once for everything that it affects,
 * which the error marks with the fact `isReported`.
 */
export function failureLevel<L extends 'warn' | 'error'>(thrown: unknown, level: L): L | 'debug' {
  return thrown instanceof SvcError && thrown.facts['isReported'] === true ? 'debug' : level;
}
