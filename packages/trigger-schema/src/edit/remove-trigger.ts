import { type Checked, success } from '@svc/core';
import type { Base } from '../base.ts';
import { type Edit, makeEdit } from './apply-edit.ts';
import type { EditStyle } from './editor.ts';
import { planRemove } from './plan.ts';
import { entryValue, onlyEntryChanged } from './verify.ts';

const STYLES: readonly EditStyle[] = [
  { text: 'literal', mark: false },
  { text: 'literal', mark: true },
];

/**
 * Takes one entry out of `triggers` in a `project.yaml`, sound or not; every byte outside it stays, comments above and
 * below it too. Where there is none, the file is the one given.
 *
 * Refused with an issue: a removal that would change what another part of the file means (such as an entry whose anchor
 * is used elsewhere).
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
