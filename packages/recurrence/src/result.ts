/** One fault of an input. */
export interface RecurrenceIssue {
  /** The field at fault: `cron`, `timezone`, `interval`, `anchor` or `duration`. */
  readonly path: string;
  /** What is wrong and what would be right, as it goes on from the name of the field: `has 6 fields, …`. */
  readonly message: string;
}

/** The outcome of reading an input: its value, or every fault that was found. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly RecurrenceIssue[] };

export function refused(path: string, ...messages: readonly string[]): Parsed<never> {
  return { ok: false, issues: messages.map((message) => ({ path, message })) };
}

/** How a value of the wrong type is named in a message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
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

/** Text quoted for a message, with control and non-ASCII characters escaped and long text cut. */
export function quote(text: string): string {
  const cut = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
