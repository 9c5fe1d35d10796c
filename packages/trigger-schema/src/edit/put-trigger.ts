import { type Checked, invalid, isRecord } from '@svc/core';
import { type Base, entryPath } from '../base.ts';
import type { Plain } from '../plain.ts';
import { validateTriggerName } from '../trigger-name.ts';
import { type Edit, makeEdit } from './apply-edit.ts';
import { desiredOf } from './desired.ts';
import { planPut } from './plan-edit.ts';
import type { EditStyle } from './splice-editor.ts';
import { entryValue, onlyEntryChanged, saysWanted } from './verify.ts';

/** A trigger as written: known fields of `trigger`, `run`, `enabled` and `policy`; other fields are ignored. */
export interface WrittenTrigger {
  readonly trigger?: unknown;
  readonly run?: unknown;
  readonly enabled?: unknown;
  readonly policy?: unknown;
}

/** The styles in which an entry can be written, in order of preference. */
export const STYLES: readonly EditStyle[] = [
  { text: 'literal', mark: false },
  { text: 'quoted', mark: false },
  { text: 'quoted', mark: true },
];

/**
 * Creates or replaces one entry of `triggers` in a `project.yaml`.
 * Every byte outside the entry stays. Inside it, unknown fields, comments and every field with the same meaning
 * keep their bytes (an explicit default means the same as an absent field). Known fields that the record does not
 * have are removed. Pass a record that `validateTrigger` accepts, as written: null and blank prompts count as
 * absent, and defaults need not be filled in.
 * Refuses, with an issue, an invalid name, and an edit that would change the meaning of another part of the file
 * (such as an anchor that is used elsewhere).
 */
export function putTrigger(base: Base, name: string, record: WrittenTrigger): Checked<Base> {
  const named = validateTriggerName(name);
  if (!named.ok) return named;
  const written: unknown = record;
  if (!isRecord(written)) {
    const path = entryPath(name);
    return invalid({
      path,
      message: 'must be a map with trigger, run and enabled.',
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
