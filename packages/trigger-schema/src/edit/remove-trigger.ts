import { type Checked, success } from '@svc/core';
import type { EditStyle } from './editor.ts';
import { planRemove } from './plan.ts';
import { type Edit, makeEdit, readBase } from './rounds.ts';
import { entryValue, onlyEntryChanged } from './verify.ts';

const STYLES: readonly EditStyle[] = [
  { text: 'literal', mark: false },
  { text: 'literal', mark: true },
];

/** What became of a removal. */
export interface RemovedText {
  readonly text: string;
  /** False where there was no such entry; the text is then the one given. */
  readonly removed: boolean;
}

/**
 * Takes one entry out of `triggers` in the text of a `project.yaml`, sound or not; every byte outside it stays, comments
 * above and below it too.
 *
 * Refused with an issue: a text that is not sound YAML, and a removal that would change what another part of the file
 * means (such as an entry whose anchor is used elsewhere).
 */
export function removeTriggerText(text: string, name: string): Checked<RemovedText> {
  const base = readBase(text);
  if (!base.ok) return base;
  if (entryValue(base.value.root, name) === undefined) return success({ text, removed: false });
  const edited = makeEdit(base.value, removeEdit(name), STYLES);
  return edited.ok ? success({ text: edited.value, removed: true }) : edited;
}

function removeEdit(name: string): Edit {
  return {
    name,
    plan: (editor, root) => void planRemove(editor, root, name),
    isRight: (before, after) =>
      onlyEntryChanged(before.root, after.root, name) && entryValue(after.root, name) === undefined,
  };
}
