import { READ_ONLY_FIELDS, SECTIONS, TOP_FIELDS } from '../fields.ts';
import { meantName } from '../misspelling.ts';
import { indentFault } from '../yaml/explain.ts';
import type { Scope } from './scope.ts';

/**
 * What becomes of a field that is not known: `warn` keeps it with a warning, as for a file; `refuse-misspelt` ignores
 * it with a warning too, but refuses one that looks like a known field gone wrong.
 */
export type UnknownKeys = 'warn' | 'refuse-misspelt';

type Hint = (key: string) => string | null;

// Guessing takes time, and nobody reads more.
const MOST_GUESSES = 50;

/** Reports the fields of a map that are not known. Names that begin with `x-` are their author's own. */
export function checkKeys(scope: Scope, known: readonly string[], mode: UnknownKeys): void {
  report(scope, new Set(known), mode, (key) => meantName(key, known));
}

/** As `checkKeys`, for one of the maps inside a trigger: also knows a field that stands in the wrong map. */
export function checkSectionKeys(
  scope: Scope,
  section: keyof typeof SECTIONS,
  mode: UnknownKeys,
): void {
  const known = SECTIONS[section];
  report(scope, new Set(known), mode, (key) => meantName(key, known) ?? homeOf(key));
}

/** As `checkKeys`, for the outermost map of a trigger. Fields of an answer may come back with a record that is sent. */
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
