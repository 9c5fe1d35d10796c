import { type Checked, failure, type Issue, invalid, success } from '@svc/core';
import {
  type Answer,
  boundsOfStored,
  type Caller,
  definitionHash,
  endPause,
  invalidInput,
  type OperationError,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import type { ClientBound } from '@svc/records';
import {
  asArguments,
  type ProjectFile,
  type ProjectRules,
  patchTrigger,
  validateTrigger,
  validateTriggerName,
  type WrittenTrigger,
} from '@svc/trigger-schema';
import type { OpsDeps } from '../../deps.ts';
import { justDisables, type TriggerCheck } from '../../edits/privilege-check.ts';
import { rulesIn } from '../../edits/rules-in.ts';
import { type EditTarget, editWhere, refusalOf } from '../../edits/trigger-file.ts';
import type { Services } from '../../services.ts';

/**
 * Changes some fields of a trigger, or creates one, from the arguments of `set_trigger`; `name` and `project` among
 * them are ignored. An agent with listed tools cannot create a trigger with more rights than its own. The bounds of the clients
 * behind the caller stay with the trigger until another caller changes it.
 */
export async function patchFields(
  { deps, arming, rules, pauses, changeLog, remarks, privileges }: Services,
  caller: Caller,
  place: ProjectSnapshot,
  args: Readonly<Record<string, unknown>> & { readonly name: string },
): Answer<{ readonly warnings: readonly Issue[] }> {
  const { name } = args;
  const named = validateTriggerName(name);
  if (!named.ok) return failure(invalidInput(named.issues));
  const target = { project: place.slug, name, condition: {} };
  const check = privileges.checkOf(caller, place, args);
  const bounds = boundsOfStored(caller);
  const isByAgent = caller.turnId !== null;
  const note = (hash: string) => changeLog.announce(caller, target, hash);
  const patch = { args, check, rules, bounds, place, isByAgent, note, remarks };
  const noted: (() => Promise<void>)[] = [];
  const patched = await patchBounded(deps, target, patch, noted);
  if (patched.ok) {
    const key = { project: place.slug, source: 'trigger', name } as const;
    if (args['enabled'] === true) await endPause(pauses, caller, key);
    await arming.sync(place.slug);
  }
  for (const dropNote of noted) await dropNote();
  return patched;
}

interface Patch {
  readonly args: Readonly<Record<string, unknown>>;
  readonly check: TriggerCheck | null;
  readonly rules: ProjectRules;
  readonly bounds: readonly ClientBound[];
  readonly place: ProjectSnapshot;
  readonly remarks: Services['remarks'];
  /** Whether an agent makes the change. */
  readonly isByAgent: boolean;
  /** Stores who is about to store the definition with this hash. */
  readonly note: (hash: string) => Promise<() => Promise<void>>;
}

interface Patched {
  /** Hash of the stored definition, or of the one that would be stored. */
  readonly hash: string;
  readonly warnings: readonly Issue[];
  readonly stored: boolean;
}

const MOST_TRIES = 8;

// The bounds and the author of a definition are recorded before it is stored: a trigger that fires at once, or a crash
// in between, must not leave it unbounded. Bounds of other definitions are kept, because another caller may be about to
// store one of them; retention removes them.
async function patchBounded(
  deps: OpsDeps,
  target: EditTarget,
  patch: Patch,
  notes: (() => Promise<void>)[],
): Answer<{ warnings: readonly Issue[] }> {
  const { triggers } = deps.store;
  const { project, name } = target;
  const noted = new Set<string>();
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const patched = await patchInFile(deps, target, patch, noted);
    if (!patched.ok) return patched;
    const { hash, warnings, stored } = patched.value;
    if (stored) {
      if (patch.bounds.length === 0) await triggers.unbind({ project, name, hash });
      return success({ warnings });
    }
    notes.push(await patch.note(hash));
    if (patch.bounds.length > 0) {
      await triggers.bind({ project, name, hash }, patch.bounds, deps.clock.now());
    }
    noted.add(hash);
  }
  return failure({
    code: 'conflict',
    message: 'The trigger keeps changing. Try again.',
  });
}

function patchInFile(
  deps: OpsDeps,
  target: EditTarget,
  patch: Patch,
  noted: ReadonlySet<string>,
): Answer<Patched> {
  const { name } = target;
  return editWhere<Patched>(deps, target, (stored) => {
    const { file, exists } = stored;
    const refusal = refusalOf(name, stored);
    if (refusal !== null) return failure(refusal);
    if (exists && file.written.get(name) === undefined) return failure(TOO_LARGE);
    const entry = patchedEntry(file, target, patch);
    if (!entry.ok) return failure(invalidInput(entry.issues));
    const { written, hash, warnings } = entry.value;
    const isNoted = noted.has(hash);
    const edit = isNoted ? { put: name, record: written } : null;
    return success({ edit, value: { hash, warnings, stored: isNoted } });
  });
}

const TOO_LARGE: OperationError = {
  code: 'conflict',
  message: 'The entry is too large to be changed field by field. Edit project.yaml yourself.',
};

interface PatchedEntry {
  readonly written: WrittenTrigger;
  readonly hash: string;
  readonly warnings: readonly Issue[];
}

// The stored entry is read from the same text that is changed, so that a patch never applies to an older version.
function patchedEntry(
  file: ProjectFile,
  { name }: EditTarget,
  { args, check, rules, place, isByAgent, remarks }: Patch,
): Checked<PatchedEntry> {
  const requested = patchTrigger(file.written.get(name) ?? null, args);
  if (!requested.ok) return requested;
  const isLeftOff =
    isByAgent &&
    file.settings.agentTriggersStartDisabled === true &&
    switchesOn(file, name, requested.value);
  const patched = isLeftOff
    ? ({ ok: true, value: { ...requested.value, enabled: false } } as const)
    : requested;
  const unenforcedLimits = justDisables(args) ? 'warn' : 'refuse';
  const valid = validateTrigger(patched.value, { ...rulesIn(rules, file), unenforcedLimits });
  if (!valid.ok) return invalid(...asArguments(valid.issues));
  const excess = check?.(name, valid.value, file.settings) ?? [];
  if (excess.length > 0) return invalid(...asArguments(excess));
  return success({
    written: patched.value,
    hash: definitionHash(valid.value),
    warnings: [
      ...asArguments(remarks.warningsOfRecord({ folder: place.folder, file }, name, valid)),
      ...(isLeftOff ? [LEFT_OFF] : []),
    ],
  });
}

const LEFT_OFF: Issue = {
  path: 'enabled',
  message:
    'stays false: agentTriggersStartDisabled is set, so only a person can enable this trigger.',
};

function switchesOn(file: ProjectFile, name: string, { enabled }: WrittenTrigger): boolean {
  return enabled === true && file.triggers.get(name)?.record.enabled !== true;
}
