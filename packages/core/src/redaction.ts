import type { Logger, LogLine } from './logger.ts';
import { secretForms } from './secret-forms.ts';
import { createTextSearch, type Span, type TextSearch } from './text-search.ts';
import { isRecord } from './values.ts';

/** Replaces a secret. */
const REDACTED = '[redacted]';

/** Removes secrets from text before it is shown or stored. */
export interface Redactor {
  /** Replaces every secret in a text, also JSON-escaped, URL-encoded or base64-encoded. */
  text(text: string): string;
  /**
   * Does the same for all texts within a value, including map keys. Returns the same object if it contains no
   * secret.
   */
  deep<T>(value: T): T;
  /**
   * Does the same for pieces of one text. A secret that spans several pieces is replaced once, in the first of
   * them.
   */
  pieces(pieces: readonly string[]): string[];
  /**
   * Where the end of a text starts that could be the beginning of a secret; the length of the text if there is
   * none.
   */
  openEnd(text: string): number;
}

/**
 * Creates a redactor for secrets of at least 6 characters. The time is linear in the text, regardless of the number
 * of secrets.
 * @param secrets Returns the secrets that are configured now; called each time.
 */
export function createRedactor(secrets: () => readonly string[]): Redactor {
  let known: readonly string[] = [];
  let search: TextSearch | null = null;
  const searchNow = (): TextSearch | null => {
    const now = secrets();
    if (now.length === known.length && now.every((secret, i) => secret === known[i])) return search;
    known = [...now];
    const forms = secretForms(known);
    search = forms.length === 0 ? null : createTextSearch(forms);
    return search;
  };
  return {
    text: (text) => redacted(searchNow(), text),
    deep: (value) => deep(searchNow(), value) as typeof value,
    pieces(pieces) {
      const spans = searchNow()?.find(pieces.join('')) ?? [];
      return spans.length === 0 ? [...pieces] : cutAt(pieces, spans);
    },
    openEnd: (text) => searchNow()?.openEnd(text) ?? text.length,
  };
}

function redacted(search: TextSearch | null, text: string): string {
  const spans = search?.find(text) ?? [];
  if (spans.length === 0) return text;
  const kept = spans.map(({ from }, i) => text.slice(spans[i - 1]?.until ?? 0, from));
  return `${kept.join(REDACTED)}${REDACTED}${text.slice(spans.at(-1)?.until)}`;
}

function deep(search: TextSearch | null, value: unknown): unknown {
  if (search === null) return value;
  if (typeof value === 'string') return redacted(search, value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return search.find(String(value)).length === 0 ? value : REDACTED;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => deep(search, item));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (value instanceof Error) return redacted(search, `${value.name}: ${value.message}`);
  return isRecord(value) ? deepRecord(search, value) : value;
}

function deepRecord(search: TextSearch, value: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(value);
  const safe = entries.map(([key, part]) => [redacted(search, key), deep(search, part)] as const);
  const isSame = safe.every(
    ([key, part], i) => key === entries[i]?.[0] && part === entries[i]?.[1],
  );
  return isSame ? value : Object.fromEntries(safe);
}

function cutAt(pieces: readonly string[], spans: readonly Span[]): string[] {
  let start = 0;
  let first = 0;
  return pieces.map((piece) => {
    const end = start + piece.length;
    let shown = '';
    let at = start;
    while ((spans[first]?.until ?? Number.POSITIVE_INFINITY) <= start) first += 1;
    for (let i = first; i < spans.length; i += 1) {
      const { from, until } = spans[i] as Span;
      if (from >= end) break;
      const mark = from >= start ? REDACTED : '';
      shown += piece.slice(at - start, Math.max(at, from) - start) + mark;
      at = Math.min(until, end);
    }
    shown += piece.slice(at - start);
    start = end;
    return shown;
  });
}

/** A logger that redacts every field before it writes a line. */
export function redactingLogger(logger: Logger, redactor: Pick<Redactor, 'deep' | 'text'>): Logger {
  const line =
    (level: keyof Logger): LogLine =>
    (fields, message) =>
      logger[level](redactor.deep(fields), redactor.text(message));
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
