import { type Checked, invalid, isRecord } from '@svc/core';
import { type Base, entryPath } from '../base.ts';
import type { Plain } from '../plain.ts';
import { validateTriggerName } from '../trigger-name.ts';
import { type Edit, makeEdit } from './apply-edit.ts';
import { desiredOf } from './desired.ts';
import type { EditStyle } from './editor.ts';
import { planPut } from './plan.ts';
import { entryValue, onlyEntryChanged, saysWanted } from './verify.ts';

/** A trigger as it is written: known fields of `trigger`, `run`, `enabled` and `policy`; the rest is not looked at. */
export interface WrittenTrigger {
  readonly trigger?: unknown;
  readonly run?: unknown;
  readonly enabled?: unknown;
  readonly policy?: unknown;
}

/** The ways to write an entry, the nicest first. */
export const STYLES: readonly EditStyle[] = [
  { text: 'literal', mark: false },
  { text: 'quoted', mark: false },
  { text: 'quoted', mark: true },
];

/**
 * Creates or replaces one entry of `triggers` in a `project.yaml`.
 *
 * Every byte outside the entry stays; inside it, unknown fields, comments and every field whose meaning is the same
 * stay as they are written (a default that is written out means the same as one that is not). Known fields that the
 * record does not have are taken out. Give a record that `validateTrigger` accepts, as it was written: null and blank
 * prompts count as absent, defaults need not be filled in.
 *
 * Refused with an issue: a name that is not allowed, and an edit that cannot be made without changing what another part of the file means (such as an anchor that is used elsewhere).
 */
export function putTrigger(base: Base, name: string, record: WrittenTrigger): Checked<Base> {
  const named = validateTriggerName(name);
  if (!named.ok) return named;
  const written: unknown = record;
  if (!isRecord(written)) {
    const path = entryPath(name);
    return invalid({
      path,
      message: 'must be given as a map with trigger, run and enabled.',
    });
  }
  return makeEdit(base, putEdit(name, written), STYLES);
}

function putEdit(name: string, record: Plain): Edit {
  const desired = desiredOf(record);
  return {
    name,
    plan: (editor, root) => planPut(editor, root, name, desired),
    isRight: (before, after) =>
      onlyEntryChanged(before.root, after.root, name) &&
      saysWanted(entryValue(before.root, name), entryValue(after.root, name), desired),
  };
}
