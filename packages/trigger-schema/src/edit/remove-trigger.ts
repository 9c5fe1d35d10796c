import { type Checked, success } from '@svc/core';
import type { Base } from '../base.ts';
import { type Edit, makeEdit } from './apply-edit.ts';
import { planRemove } from './plan-edit.ts';
import type { EditStyle } from './splice-editor.ts';
import { entryValue, onlyEntryChanged } from './verify.ts';

const STYLES: readonly EditStyle[] = [
  { text: 'literal', mark: false },
  { text: 'literal', mark: true },
];

/**
 * Removes one entry of `triggers` from a `project.yaml`, valid or not; every byte outside it stays, including
 * comments above and below. If the entry does not exist, the file is unchanged.
 * Refuses, with an issue, a removal that would change the meaning of another part of the file (such as an entry
 * whose anchor is used elsewhere).
 */
export function removeTrigger(base: Base, name: string): Checked<Base> {
  if (entryValue(base.root, name) === undefined) return success(base);
  return makeEdit(base, removeEdit(name), STYLES);
}

function removeEdit(name: string): Edit {
  return {
    name,
    plan: (editor, root) => void planRemove(editor, root, name),
    isRight: (before, after) =>
      onlyEntryChanged(before.root, after.root, name) && entryValue(after.root, name) === undefined,
  };
}
