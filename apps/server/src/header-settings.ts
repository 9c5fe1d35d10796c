import { type Issue, isRecord, success } from '@svc/core';
import { type Parse, referenceTo, refuse } from './setting-row.ts';

/** The value of a header: as it stands in the file, or the environment variable that holds it. */
export type HeaderValue = { readonly value: string } | { readonly variable: string };

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a header can be sent with this value: printable ASCII, without blanks at its ends. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

interface HeaderRules {
  /** Whether a value may stand in the file. */
  readonly plain: boolean;
  /** Names that cannot be set, in lower case. Default: none. */
  readonly reserved?: readonly string[];
}

/** Reads a map of headers to `{ ref: env:NAME }` or, where that is allowed, to plain values. */
export const headersOf =
  ({ plain, reserved = [] }: HeaderRules): Parse =>
  (value) => {
    const wanted = plain ? 'texts or { ref: env:NAME }' : '{ ref: env:NAME }';
    if (!isRecord(value)) return refuse(`must be a map of headers to ${wanted}.`);
    const issues: Issue[] = [];
    const read: Record<string, HeaderValue> = {};
    const report = (path: string, message: string) => issues.push({ path, message });
    for (const [name, held] of Object.entries(value)) {
      if (!NAME.test(name)) report(name, 'must be the name of a header.');
      if (reserved.includes(name.toLowerCase())) report(name, 'is set by svc: leave it out.');
      const isReference = isRecord(held) && Object.keys(held).join() === 'ref';
      const variable = referenceTo('value of a header')(isReference ? held['ref'] : null);
      if (variable.ok) read[name] = { variable: variable.value as string };
      else if (isReference) report(`${name}.ref`, variable.issues[0]?.message ?? '');
      else if (!plain) {
        report(name, 'must be { ref: env:NAME }: the value of a header has no place in the file.');
      } else if (typeof held === 'string' && isHeaderValue(held)) read[name] = { value: held };
      else report(name, 'must be one line of printable ASCII, or { ref: env:NAME } for a secret.');
    }
    return issues.length > 0 ? { ok: false, issues } : success(read);
  };
