import { abridged, counted, type Issue, joinPath } from '@svc/core';

/** Names of fields and places in lists, from the outside in. */
export type Path = readonly (string | number)[];

/** Where something stands in a text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What of a field is pointed at: its name or its value. */
export type Part = 'key' | 'value';

/** Finds the place of a field in the source text; null where there is none. */
export type Locate = (path: Path, part: Part) => Position | null;

/** How much of what is found is told; the rest is counted. One may be shared by all the reports of a file. */
export interface Budget {
  faults: number;
  warnings: number;
  /** Warnings that were counted only. */
  hiddenWarnings: number;
}

/** A budget of 500 faults and 20 warnings. */
export function createBudget(): Budget {
  return { faults: 500, warnings: 20, hiddenWarnings: 0 };
}

/** Collects what is wrong with a value, each fault with its path and its place: 20 of them, and a count of the others. */
export interface Report {
  readonly warnings: readonly Issue[];
  /** Those of the warnings that are about fields that nobody knows. */
  readonly unknown: readonly Issue[];
  /** The value cannot be used. `message` goes on from the name of the field. */
  fault(path: Path, message: string, part?: Part): void;
  /** The value can be used, but its author should know. */
  warn(path: Path, message: string, part?: Part): void;
  /** Warns of a field that nobody knows. */
  warnOfUnknown(path: Path, message: string): void;
  /** Whether a further fault, or warning, would be told and not only counted: hints are looked for only then. */
  tells(what: 'fault' | 'warning'): boolean;
  /** The faults, and how many more there are. */
  issues(): readonly Issue[];
}

const MOST_FAULTS = 20;

/** Makes an empty report. */
export function createReport(locate: Locate = () => null, budget = createBudget()): Report {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const unknown: Issue[] = [];
  let hidden = 0;
  const issueOf = (path: Path, message: string, part: Part): Issue => {
    const told = /[.!?]$/.test(message) ? message : `${message}.`;
    return { path: cut(joinPath(path), 200), message: cut(told, 400), ...locate(path, part) };
  };
  const tells: Report['tells'] = (what) =>
    what === 'warning'
      ? budget.warnings > 0
      : issues.length < (budget.faults > 0 ? MOST_FAULTS : 1);
  const warn = (path: Path, message: string, part: Part): Issue | null => {
    if (!tells('warning')) {
      budget.hiddenWarnings += 1;
      return null;
    }
    budget.warnings -= 1;
    const warning = issueOf(path, message, part);
    warnings.push(warning);
    return warning;
  };
  return {
    warnings,
    unknown,
    tells,
    fault(path, message, part = 'value') {
      if (!tells('fault')) {
        hidden += 1;
        return;
      }
      budget.faults -= 1;
      issues.push(issueOf(path, message, part));
    },
    warn: (path, message, part = 'value') => void warn(path, message, part),
    warnOfUnknown(path, message) {
      const warning = warn(path, message, 'key');
      if (warning !== null) unknown.push(warning);
    },
    issues: () =>
      hidden === 0 ? issues : [...issues, { path: '', message: more(hidden, 'fault') }],
  };
}

/** What a budget has kept from being told. */
export function hiddenOf({ hiddenWarnings }: Budget): readonly Issue[] {
  return hiddenWarnings === 0 ? [] : [{ path: '', message: more(hiddenWarnings, 'warning') }];
}

function more(count: number, what: string): string {
  return `has ${counted(count, `more ${what}`)}.`;
}

/** A text, or its beginning: what an author wrote may be as long as the file. */
export function cut(text: string, most: number): string {
  return abridged(text, most + 1);
}
