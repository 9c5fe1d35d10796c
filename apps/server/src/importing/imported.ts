import type { WrittenTrigger } from '@svc/trigger-schema';

/** A trigger that was made of something elsewhere. */
export interface ImportedTrigger {
  /** The name that it would have where that is free. */
  readonly name: string;
  readonly record: WrittenTrigger;
  /** Where it is from, and what could not be carried over. */
  readonly comment: readonly string[];
}

/** What a file of another program came to. */
export interface Imported {
  readonly triggers: readonly ImportedTrigger[];
  /** What of the file as a whole could not be carried over. */
  readonly notes: readonly string[];
}

/** The run of a trigger whose steps are run as they stand there, without any AI. */
export function playbookRun(prompt: string, extra: object = {}): object {
  return { prompt, tools: ['Bash'], runtime: 'native', model: 'playbook', ...extra };
}

const LONGEST_NAME = 60;

/** A text as a name of a trigger: letters, digits and hyphens; the other one where nothing is left of it. */
export function nameFrom(text: string, other: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^[-_]+|[-_]+$/g, '')
    .toLowerCase();
  return name === '' ? other : name;
}

/** The first of a name, `name-2`, `name-3` and so on that nothing has. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let n = 2; isTaken(free); n += 1) free = `${name}-${n}`;
  return free;
}
