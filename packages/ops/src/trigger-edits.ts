import { type Checked, failure, type Issue, invalid, type Result, success } from '@svc/core';
import type { ClientBound } from '@svc/records';
import {
  asArguments,
  definitionText,
  effectiveRecord,
  isReservedTriggerName,
  type NamedTrigger,
  type ProjectFile,
  type ProjectRules,
  type ProjectSettings,
  parseProject,
  patchTrigger,
  putTriggerText,
  removeTriggerText,
  type TriggerRecord,
  validateTrigger,
  validateTriggerName,
  type WrittenTrigger,
} from '@svc/trigger-schema';
import type { Arming } from './arming.ts';
import { boundsOf, type Caller } from './caller.ts';
import { projectOf } from './chats.ts';
import { hash } from './definition.ts';
import type { OpsDeps } from './deps.ts';
import { invalidInput, type OperationError } from './errors.ts';
import { etagOf } from './triggers.ts';

type Answer<T> = Promise<Result<T, OperationError>>;

/** A record that was accepted. */
export interface AcceptedTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly created: boolean;
  readonly warnings: readonly Issue[];
}

/** A condition on what is stored, as HTTP gives it: a list of entity tags, or `*` for "exists". */
export interface EditCondition {
  readonly ifMatch?: string;
  /** `*`: only if it does not exist yet. */
  readonly ifNoneMatch?: string;
}

/** Looks at a sound trigger before it is stored, and says what is wrong with storing it. */
export type TriggerCheck = (
  name: string,
  record: TriggerRecord,
  settings: ProjectSettings,
) => readonly Issue[];

/** Changing triggers; what is acknowledged is in `project.yaml` and armed. */
export interface TriggerEdits {
  /** Creates or replaces a trigger. Absent `enabled` means false. */
  put(
    caller: Caller,
    project: string,
    name: string,
    record: unknown,
    condition?: EditCondition,
  ): Answer<AcceptedTrigger>;
  remove(
    caller: Caller,
    project: string,
    name: string,
    condition?: EditCondition,
  ): Answer<{ removed: boolean }>;
  /** Checks a record without storing it. */
  validate(
    project: string,
    record: unknown,
  ): Answer<{ valid: boolean; issues: readonly Issue[]; warnings: readonly Issue[] }>;
}

/** Changing single fields of triggers. */
export interface TriggerPatches {
  /**
   * Changes some fields of a trigger, or makes one, by the arguments of `set_trigger`; `name` and `project` among them
   * are left alone. `check` may refuse the trigger as it would be; its paths are those of a record. The bounds of the
   * clients behind the caller stay with the trigger for as long as nobody else changes it.
   */
  patch(
    caller: Caller,
    project: string,
    args: Readonly<Record<string, unknown>> & { readonly name: string },
    check: TriggerCheck | null,
  ): Answer<{ readonly warnings: readonly Issue[] }>;
}

export function createTriggerEdits(
  deps: OpsDeps,
  arming: Arming,
  validation: ProjectRules,
): TriggerEdits & TriggerPatches {
  return {
    async put(_caller, project, name, record, condition = {}) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const named = validateTriggerName(name);
      if (!named.ok) return failure(invalidInput(named.issues));
      const valid = validateTrigger(record, { ...validation, unknownKeys: 'refuse-misspelt' });
      if (!valid.ok) return failure(invalidInput(valid.issues));
      const target = { project, name, condition, validation };
      const put = await putInFile(deps, target, record as WrittenTrigger);
      if (!put.ok) return put;
      await deps.store.triggers.unbindOthers({ project, name }, null);
      await arming.sync(project);
      const wire = effectiveRecord(name, project, valid.value);
      const { warnings } = valid;
      return success({ record: wire, etag: etagOf(wire), created: put.value, warnings });
    },
    async remove(_caller, project, name, condition = {}) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      if (!validateTriggerName(name).ok) return success({ removed: false });
      const removed = await removeFromFile(deps, { project, name, condition, validation });
      if (removed.ok && removed.value) {
        await deps.store.triggers.unbindOthers({ project, name }, null);
        await arming.sync(project);
      }
      return removed.ok ? success({ removed: removed.value }) : removed;
    },
    async patch(caller, project, args, check) {
      const { name } = args;
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const named = validateTriggerName(name);
      if (!named.ok) return failure(invalidInput(named.issues));
      const target = { project, name, condition: {}, validation };
      const patched = await patchBounded(deps, target, { args, check, bounds: boundsOf(caller) });
      if (patched.ok) await arming.sync(project);
      return patched;
    },
    async validate(project, record) {
      const snapshot = await projectOf(deps, project);
      if (!snapshot.ok) return snapshot;
      const valid = validateTrigger(record, { ...validation, unknownKeys: 'refuse-misspelt' });
      const issues = valid.ok ? [] : valid.issues;
      return success({ valid: valid.ok, issues, warnings: valid.warnings });
    },
  };
}

interface EditTarget {
  readonly project: string;
  readonly name: string;
  readonly condition: EditCondition;
  readonly validation: ProjectRules;
}

async function putInFile(
  deps: OpsDeps,
  target: EditTarget,
  declared: WrittenTrigger,
): Answer<boolean> {
  let created = false;
  const edited = await editWhere(deps, target, (text, exists) => {
    created = !exists;
    if (created && isReservedTriggerName(target.name)) return invalid(RESERVED);
    return putTriggerText(text, target.name, declared);
  });
  return edited.ok ? success(created) : edited;
}

interface Patch {
  readonly args: Readonly<Record<string, unknown>>;
  readonly check: TriggerCheck | null;
  readonly bounds: readonly ClientBound[];
}

interface Patched {
  /** Hash of the definition that is stored now, or that would be. */
  readonly hash: string;
  readonly warnings: readonly Issue[];
  readonly stored: boolean;
}

const MOST_TRIES = 8;

// What bounds a definition is noted before it is stored: a trigger that fires at once, or a crash in between, must not
// find it free.
async function patchBounded(
  deps: OpsDeps,
  target: EditTarget,
  patch: Patch,
): Answer<{ warnings: readonly Issue[] }> {
  const { triggers } = deps.store;
  const noted = new Set<string>();
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const patched = await patchInFile(deps, target, patch, noted);
    if (!patched.ok) return patched;
    const { hash, warnings, stored } = patched.value;
    if (stored) {
      await triggers.unbindOthers(target, patch.bounds.length === 0 ? null : hash);
      return success({ warnings });
    }
    await triggers.bind(target, hash, patch.bounds);
    noted.add(hash);
  }
  return failure({
    code: 'conflict',
    message: 'The trigger is being changed all the time: try again.',
  });
}

async function patchInFile(
  deps: OpsDeps,
  target: EditTarget,
  patch: Patch,
  noted: ReadonlySet<string>,
): Answer<Patched> {
  let outcome: Patched | null = null;
  let refused: readonly Issue[] = [];
  const edited = await editWhere(deps, target, (text, exists) => {
    const file = parseProject(text, target.validation);
    if (!file.ok) return file;
    const entry = patchedEntry(file.value, exists, target, patch);
    refused = entry.ok ? [] : entry.issues;
    if (!entry.ok) return entry;
    const { written, hash: definition, warnings } = entry.value;
    const stored = patch.bounds.length === 0 || noted.has(definition);
    outcome = { hash: definition, warnings, stored };
    return stored ? putTriggerText(text, target.name, written) : invalid();
  });
  if (refused.length > 0) return failure(invalidInput(refused));
  const found = outcome as Patched | null;
  if (found !== null && (edited.ok || !found.stored)) return success(found);
  return edited as Exclude<typeof edited, { ok: true }>;
}

interface PatchedEntry {
  readonly written: WrittenTrigger;
  readonly hash: string;
  readonly warnings: readonly Issue[];
}

// The stored entry is read from the very text that is changed, so that nothing is patched onto an older one.
function patchedEntry(
  file: ProjectFile,
  exists: boolean,
  { name, validation }: EditTarget,
  { args, check }: Patch,
): Checked<PatchedEntry> {
  if (!exists && isReservedTriggerName(name)) return invalid(RESERVED);
  const patched = patchTrigger(file.written.get(name) ?? null, args);
  if (!patched.ok) return patched;
  const valid = validateTrigger(patched.value, { ...validation, unknownKeys: 'refuse-misspelt' });
  if (!valid.ok) return invalid(...asArguments(valid.issues));
  const excess = check?.(name, valid.value, file.settings) ?? [];
  if (excess.length > 0) return invalid(...asArguments(excess));
  const definition = hash(definitionText(valid.value));
  return success({
    written: patched.value,
    hash: definition,
    warnings: asArguments(valid.warnings),
  });
}

const IN_THE_WAY = 'project.yaml does not allow this change as it is written: see issues.';

const RESERVED: Issue = {
  path: 'name',
  message: 'A new trigger may not be called runtime: that address shows the armed state.',
};

async function removeFromFile(deps: OpsDeps, target: EditTarget): Answer<boolean> {
  let removed = false;
  const edited = await editWhere(deps, target, (text) => {
    const result = removeTriggerText(text, target.name);
    if (!result.ok) return result;
    removed = result.value.removed;
    return success(result.value.text);
  });
  return edited.ok ? success(removed) : edited;
}

// The condition is checked on the very text that is about to be changed, so nobody can slip in between.
async function editWhere(
  deps: OpsDeps,
  target: EditTarget,
  change: (text: string, exists: boolean) => Checked<string>,
): Answer<void> {
  let unmet = false;
  const edited = await deps.projects.edit(target.project, (text) => {
    const stored = storedEntry(target, text);
    unmet = !isMet(target.condition, stored);
    return unmet ? invalid() : change(text, stored.exists);
  });
  if (unmet) return failure(PRECONDITION);
  if (edited.ok) return success(undefined);
  const { code, message, issues } = edited.error;
  // The record itself was checked before: what stands in the way now is the file.
  const obstacle = code === 'invalid' && !issues.includes(RESERVED);
  return failure(
    obstacle ? { code: 'conflict', message: IN_THE_WAY, issues } : { code, message, issues },
  );
}

const PRECONDITION: OperationError = {
  code: 'precondition_failed',
  message: 'The trigger has been changed by somebody else meanwhile: fetch it again.',
};

interface StoredEntry {
  readonly exists: boolean;
  readonly etag: string | null;
}

function storedEntry(target: EditTarget, text: string): StoredEntry {
  const parsed = parseProject(text, target.validation);
  if (!parsed.ok) return { exists: false, etag: null };
  const entry = parsed.value.triggers.get(target.name);
  if (entry !== undefined) {
    const wire = effectiveRecord(target.name, target.project, entry.record);
    return { exists: true, etag: etagOf(wire) };
  }
  const { invalid: dropped } = parsed.value;
  const exists = dropped.some((one) => one.source === 'trigger' && one.name === target.name);
  return { exists, etag: null };
}

function isMet(condition: EditCondition, stored: StoredEntry): boolean {
  const { ifMatch, ifNoneMatch } = condition;
  if (ifNoneMatch?.trim() === '*' && stored.exists) return false;
  if (ifMatch === undefined) return true;
  if (ifMatch.trim() === '*') return stored.exists;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return stored.etag !== null && tags.includes(stored.etag);
}
