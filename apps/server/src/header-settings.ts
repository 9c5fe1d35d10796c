import { failure, type Issue, isRecord, type Result, success } from '@svc/core';
import { type Parse, referenceTo, refuse } from './setting-row.ts';

/** The value of a header: plain, or the name of an environment variable. */
export type HeaderValue = { readonly value: string } | { readonly variable: string };

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a value can be sent in a header: printable ASCII, without leading or trailing spaces. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

/** Headers that a request cannot have twice, or that `fetch` refuses to send. */
const CONNECTION_HEADERS = [
  ...['connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['transfer-encoding', 'upgrade'],
];

interface HeaderRules {
  /** Whether a plain value is allowed in the file. */
  readonly plain: boolean;
  /** Further header names that cannot be set, in lower case. Default: none. */
  readonly reserved?: readonly string[];
}

/** Reads a map of headers to `{ ref: env:NAME }`, or, if allowed, to plain values. */
export const headersOf =
  (rules: HeaderRules): Parse =>
  (value) => {
    const wanted = rules.plain ? 'texts or { ref: env:NAME }' : '{ ref: env:NAME }';
    if (!isRecord(value)) return refuse(`must be a map of headers to ${wanted}.`);
    const issues: Issue[] = [];
    const read: Record<string, HeaderValue> = {};
    for (const [name, held] of Object.entries(value)) {
      const fault = nameFault(name, rules.reserved ?? []);
      if (fault !== null) issues.push({ path: name, message: fault });
      const header = headerOf(name, held, rules.plain);
      if (header.ok) read[name] = header.value;
      else issues.push(header.error);
    }
    return issues.length > 0 ? { ok: false, issues } : success(read);
  };

function nameFault(name: string, reserved: readonly string[]): string | null {
  if (!NAME.test(name) || name === '__proto__') return 'must be the name of a header.';
  return [...CONNECTION_HEADERS, ...reserved].includes(name.toLowerCase())
    ? 'is set by svc. Remove it.'
    : null;
}

function headerOf(name: string, held: unknown, plain: boolean): Result<HeaderValue, Issue> {
  if (isRecord(held) && Object.keys(held).join() === 'ref') {
    const variable = referenceTo('value of a header')(held['ref']);
    if (variable.ok) return success({ variable: variable.value as string });
    return failure({ path: `${name}.ref`, message: variable.issues[0]?.message ?? '' });
  }
  if (plain && typeof held === 'string' && isHeaderValue(held)) return success({ value: held });
  const message = plain
    ? 'must be one line of printable ASCII, or { ref: env:NAME } for a secret.'
    : 'must be { ref: env:NAME }: the value of a header must not be in the file.';
  return failure({ path: name, message });
}
