import { type Issue, joinPath } from '@svc/core';

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

/** Collects what is wrong with a value, each fault with its path and its place. */
export interface Report {
  readonly issues: Issue[];
  readonly warnings: Issue[];
  /** The value cannot be used. `message` goes on from the name of the field. */
  fault(path: Path, message: string, part?: Part): void;
  /** The value can be used, but its author should know. */
  warn(path: Path, message: string, part?: Part): void;
}

/** Makes an empty report. */
export function createReport(locate: Locate = () => null): Report {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const add =
    (list: Issue[]) =>
    (path: Path, message: string, part: Part = 'value') => {
      const told = /[.!?]$/.test(message) ? message : `${message}.`;
      list.push({ path: joinPath(path), message: told, ...locate(path, part) });
    };
  return { issues, warnings, fault: add(issues), warn: add(warnings) };
}
