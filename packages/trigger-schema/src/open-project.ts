import { type Checked, success } from '@svc/core';
import { type Base, readBase } from './base.ts';
import { addTriggers, type NewTrigger } from './edit/add-triggers.ts';
import { disableAll } from './edit/disable-all.ts';
import { narrowSettings } from './edit/narrow-settings.ts';
import { putTrigger, type WrittenTrigger } from './edit/put-trigger.ts';
import { removeTrigger } from './edit/remove-trigger.ts';
import { type ProjectFile, type ProjectRules, readProject } from './project-file.ts';

/** A change of entries of `triggers`, for `disable` of `schedules` too, and for `narrow` of the settings of the project. */
export type TriggerEdit =
  | { readonly put: string; readonly record: WrittenTrigger }
  | { readonly remove: string }
  | { readonly add: readonly NewTrigger[] }
  | { readonly disable: 'all' }
  | { readonly narrow: { readonly maxSpawnDepth: number } };

/** A parsed `project.yaml`: its text, its content, and the results of edits. Immutable. */
export interface OpenProject {
  readonly text: string;
  readonly file: ProjectFile;
  /**
   * The project after an edit.
   *
   * `put` creates or replaces an entry. Every byte outside it stays; inside it, unknown fields, comments and every field
   * whose meaning is the same stay as they are written (a default that is written out means the same as one that is
   * not). Known fields that the record does not have are taken out. Give a record that `validateTrigger` accepts, as it
   * was written: null and blank prompts count as absent, defaults need not be filled in.
   *
   * `remove` takes an entry out, sound or not; every byte outside it stays, comments above and below it too. Where there
   * is none nothing changes.
   *
   * `add` puts several new entries, each with comments above it. A name that is there already is refused.
   *
   * `disable` writes `enabled: false` into every entry of `triggers` and `schedules`, sound or not. An entry that an alias or a
   * merge key brings in is changed where it is written.
   *
   * `narrow` takes back the settings that widen what agents may do: `hooksMcpEnabled: true` becomes false, a
   * `maxSpawnDepth` above the given one becomes that, and `keeper.permissionMode: bypassPermissions` becomes `default`.
   *
   * Refused with an issue: a name that is not allowed, and an edit that cannot be made without changing what another
   * part of the file means (such as an anchor that is used elsewhere).
   */
  edited(edit: TriggerEdit): Checked<OpenProject>;
}

/**
 * Parses a `project.yaml` for reading and editing; refuses what `parseProject` refuses.
 * @param onRead called each time a text is parsed as YAML, for metrics
 */
export function openProject(
  text: string,
  rules: ProjectRules = {},
  onRead?: () => void,
): Checked<OpenProject> {
  const base = readBase(text, onRead);
  return base.ok ? success(opened(base.value, rules)) : base;
}

function opened(base: Base, rules: ProjectRules): OpenProject {
  const project: OpenProject = {
    text: base.file.text,
    file: readProject(base, rules),
    edited(edit) {
      const after = madeBy(base, edit);
      if (!after.ok) return after;
      return success(after.value === base ? project : opened(after.value, rules));
    },
  };
  return project;
}

function madeBy(base: Base, edit: TriggerEdit): Checked<Base> {
  if ('put' in edit) return putTrigger(base, edit.put, edit.record);
  if ('disable' in edit) return disableAll(base);
  if ('narrow' in edit) return narrowSettings(base, edit.narrow.maxSpawnDepth);
  return 'add' in edit ? addTriggers(base, edit.add) : removeTrigger(base, edit.remove);
}
