import { type Checked, success } from '@svc/core';
import { openProject, type TriggerEdit, type WrittenTrigger } from '@svc/trigger-schema';

function editText(text: string, edit: TriggerEdit): Checked<string> {
  const project = openProject(text);
  const edited = project.ok ? project.value.edited(edit) : project;
  return edited.ok ? success(edited.value.text) : edited;
}

/** Writes a trigger to a text. */
export function putTriggerText(
  text: string,
  name: string,
  record: WrittenTrigger,
): Checked<string> {
  return editText(text, { put: name, record });
}

/** Removes a trigger from a text. */
export function removeTriggerText(
  text: string,
  name: string,
): Checked<{ readonly text: string; readonly removed: boolean }> {
  const edited = editText(text, { remove: name });
  return edited.ok ? success({ text: edited.value, removed: edited.value !== text }) : edited;
}
