import { listed } from '@svc/core';

export function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Ascending values with runs of three or more shortened: `1, 3 through 5 and 9`. */
export function ranges(values: readonly number[], name: (value: number) => string): string {
  const parts: string[] = [];
  for (let start = 0; start < values.length; ) {
    let end = start;
    while ((values[end + 1] ?? Number.NaN) === (values[end] ?? 0) + 1) end += 1;
    const run = values.slice(start, end + 1).map(name);
    if (run.length >= 3) parts.push(`${run[0]} through ${run[run.length - 1]}`);
    else parts.push(...run);
    start = end + 1;
  }
  return listed(parts);
}

/** Values at one distance from each other. */
export interface Steps {
  readonly first: number;
  readonly last: number;
  /** `2nd`, `3rd`, `15th`. */
  readonly every: string;
}

/** The steps that five or more ascending values make, or null when they are fewer, adjacent or irregular. */
export function stepsOf(values: readonly number[]): Steps | null {
  const first = values[0] ?? 0;
  const step = (values[1] ?? 0) - first;
  const regular = values.every((value, index) => value === first + index * step);
  if (values.length < 5 || step < 2 || !regular) return null;
  return { first, last: values[values.length - 1] ?? 0, every: ordinal(step) };
}

function ordinal(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}
