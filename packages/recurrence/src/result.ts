/** One fault of an input. */
export interface RecurrenceIssue {
  /** The field at fault: `cron`, `timezone`, `interval` or `anchor`. */
  readonly path: string;
  /** What is wrong and how to fix it, as the rest of a sentence that begins with the name of the field: `has 6 fields, …`. */
  readonly message: string;
}

/** The outcome of reading an input: its value, or every fault that was found. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly RecurrenceIssue[] };

export function refused(path: string, ...messages: readonly string[]): Parsed<never> {
  return { ok: false, issues: messages.map((message) => ({ path, message })) };
}

/** Reads one option of a caller's bag of options, which may be anything at all. */
export function readOption(options: unknown, key: string): { value: unknown } | { fault: true } {
  try {
    return { value: (options as Record<string, unknown> | null | undefined)?.[key] };
  } catch {
    // A getter or proxy of the caller threw: for us the option has no readable value.
    return { fault: true };
  }
}
