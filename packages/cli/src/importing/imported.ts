import { sentencesOf } from '@svc/core';
import { validateTrigger, type WrittenTrigger } from '@svc/trigger-schema';

/** A trigger converted from another format. */
export interface ImportedTrigger {
  /** Suggested name; may be taken already. */
  readonly name: string;
  readonly record: WrittenTrigger;
  /** Its origin, and what could not be converted. */
  readonly comment: readonly string[];
}

/** The converted triggers of a file. */
export interface Imported {
  readonly triggers: readonly ImportedTrigger[];
  /** Parts of the file that could not be converted. */
  readonly notes: readonly string[];
}

/** A run of the playbook: the steps of its prompt run unchanged and without AI. */
export function playbookRun(prompt: string, extra: object = {}): object {
  return { prompt, tools: ['Bash'], runtime: 'native', model: 'playbook', ...extra };
}

const MAX_NAME_LENGTH = 60;

/** Converts a text to a trigger name of lower-case letters, digits, `_` and hyphens; `other` if no character is left. */
export function nameFrom(text: string, other: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^[-_]+|[-_]+$/g, '')
    .toLowerCase();
  return name === '' ? other : name;
}

/** The first of `name`, `name-2`, `name-3` and so on that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let n = 2; isTaken(free); n += 1) free = `${name}-${n}`;
  return free;
}

/** Why a trigger cannot have this cron expression or time zone, in full sentences; null if it can. */
export function scheduleFault(cron: string, timezone: string | null): string | null {
  const trigger = { type: 'schedule', cron, ...(timezone === null ? {} : { timezone }) };
  const judged = validateTrigger({ trigger, run: { prompt: 'Nothing.' }, enabled: false });
  return judged.ok ? null : sentencesOf(judged.issues, 'It');
}
