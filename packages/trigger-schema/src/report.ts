import { abridged, counted, type Issue, joinPath } from '@svc/core';

/** Field names and list indexes, from the outside in. */
export type Path = readonly (string | number)[];

/** Position in a text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What to point at: the name or the value of a field. */
export type Part = 'key' | 'value';

/** Finds the position of a field in the source text; null if there is none. */
export type Locate = (path: Path, part: Part) => Position | null;

/** Limits how many findings are reported; the rest are counted. All reports of a file may share one. */
export interface Budget {
  faults: number;
  warnings: number;
  /** Number of warnings that were only counted. */
  hiddenWarnings: number;
}

/** A budget of 500 faults and 20 warnings. */
export function createBudget(): Budget {
  return { faults: 500, warnings: 20, hiddenWarnings: 0 };
}

/** Collects the faults of a value with their paths and positions: 20 of them, and a count of the rest. */
export interface Report {
  readonly warnings: readonly Issue[];
  /** The warnings about unknown fields. */
  readonly unknown: readonly Issue[];
  /**
   * Adds a fault: the value cannot be used. `message` continues a sentence that begins with the name of the field.
   */
  fault(path: Path, message: string, part?: Part): void;
  /** Adds a warning: the value can be used. */
  warn(path: Path, message: string, part?: Part): void;
  /** Adds a warning about an unknown field. */
  warnOfUnknown(path: Path, message: string): void;
  /** Whether another fault, or warning, would be reported and not only counted: hints are only computed then. */
  tells(what: 'fault' | 'warning'): boolean;
  /** The faults, and the number of further ones. */
  issues(): readonly Issue[];
}

const MOST_FAULTS = 20;

/** Creates an empty report. */
export function createReport(locate: Locate = () => null, budget = createBudget()): Report {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const unknown: Issue[] = [];
  let hidden = 0;
  const issueOf = (path: Path, message: string, part: Part): Issue => {
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    return { path: cut(joinPath(path), 200), message: cut(sentence, 400), ...locate(path, part) };
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

/** The warnings that a budget only counted. */
export function hiddenOf({ hiddenWarnings }: Budget): readonly Issue[] {
  return hiddenWarnings === 0 ? [] : [{ path: '', message: more(hiddenWarnings, 'warning') }];
}

function more(count: number, what: string): string {
  return `has ${counted(count, `more ${what}`)}.`;
}

/** Truncates a text, because authors may write texts as long as the file. */
export function cut(text: string, most: number): string {
  return abridged(text, most + 1);
}
