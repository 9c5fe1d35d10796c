import { READ_ONLY_FIELDS, SECTIONS, TOP_FIELDS } from '../fields.ts';
import { meantName } from '../misspelling.ts';
import { indentFault } from '../yaml/explain.ts';
import type { Scope } from './scope.ts';

/**
 * How unknown fields are treated: `warn` keeps them with a warning, for files; `refuse-misspelt` ignores them with
 * a warning, but refuses a field that looks like a misspelt known one.
 */
export type UnknownKeys = 'warn' | 'refuse-misspelt';

type Hint = (key: string) => string | null;

// Each guess takes time, and a longer list would not be read.
const MOST_GUESSES = 50;

/** Reports unknown fields of a map. Names that begin with `x-` are reserved for authors. */
export function checkKeys(scope: Scope, known: readonly string[], mode: UnknownKeys): void {
  report(scope, new Set(known), mode, (key) => meantName(key, known));
}

/** Like `checkKeys`, for a map inside a trigger: also recognizes a field of another map. */
export function checkSectionKeys(
  scope: Scope,
  section: keyof typeof SECTIONS,
  mode: UnknownKeys,
): void {
  const known = SECTIONS[section];
  report(scope, new Set(known), mode, (key) => meantName(key, known) ?? homeOf(key));
}

/** Like `checkKeys`, for the outermost map of a trigger. Accepts read-only fields of a response. */
export function checkTopKeys(scope: Scope, mode: UnknownKeys): void {
  const silent = mode === 'warn' ? [] : READ_ONLY_FIELDS;
  const hint: Hint = (key) => meantName(key, TOP_FIELDS) ?? homeOf(key);
  report(scope, new Set([...TOP_FIELDS, ...silent]), mode, hint);
}

function report(scope: Scope, known: ReadonlySet<string>, mode: UnknownKeys, hint: Hint): void {
  const unknown = Object.keys(scope.record).filter(
    (key) => !(known.has(key) || key.startsWith('x-')),
  );
  if (mode === 'refuse-misspelt' && unknown.length > MOST_GUESSES) {
    scope.report.fault(
      scope.path,
      `has ${unknown.length} fields that are not known; leave them out`,
    );
    return;
  }
  for (const key of unknown) {
    const path = [...scope.path, key];
    const odd = indentFault(key);
    if (odd !== null) {
      scope.report.warnOfUnknown(path, `is not a known field, since its line ${odd}`);
      continue;
    }
    const meant = mode === 'warn' && !scope.report.tells('warning') ? null : hint(key);
    const question = meant === null ? '' : `; did you mean ${meant}?`;
    if (mode === 'refuse-misspelt' && meant !== null) {
      scope.report.fault(path, `is not a known field${question}`, 'key');
    } else {
      scope.report.warnOfUnknown(path, `is not a known field and has no effect${question}`);
    }
  }
}

/** Where in a trigger a field belongs. */
function homeOf(key: string): string | null {
  for (const [section, fields] of Object.entries(SECTIONS)) {
    if (fields.includes(key)) return `${section}.${key}`;
  }
  return TOP_FIELDS.some((field) => field === key) ? key : null;
}
