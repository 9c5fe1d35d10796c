import { type Issue, sentenceOf } from '@svc/core';
import { type ProjectSnapshot, promptFault, promptWarning } from '@svc/projects';
import type { Source } from '@svc/records';
import {
  curatorWarning,
  type Declared,
  type LegacySchedule,
  type TriggerRecord,
} from '@svc/trigger-schema';
import type { Definition } from './definition.ts';

type Entry = Declared<TriggerRecord | LegacySchedule>;
type Place = Pick<ProjectSnapshot, 'folder'>;

/**
 * What the author of an entry should know: what its text shows, and what the project folder shows now.
 *
 * @param fault what is wrong with its prompt file. Default: what a look at the file shows.
 */
export function entryWarnings(
  place: Place,
  source: Source,
  entry: Entry,
  fault: Issue | null = promptWarningOf(place, source, entry),
): readonly Issue[] {
  return warningsWith(entry, fault);
}

/** A prompt file that cannot be used, after its text was read. */
export interface UnusablePrompt {
  readonly issue: Issue;
  /** Whether fires that come of themselves will fail: the entry is enabled, and can fire. */
  readonly failsFires: boolean;
}

/** Reads the prompt file of an entry as a fire would; null where it can be used, or none is named. */
export async function unusablePrompt(
  { folder }: Place,
  source: Source,
  { record, promptFileAt: at }: Entry,
): Promise<UnusablePrompt | null> {
  const { promptFile: file } = 'run' in record ? record.run : record;
  if (file === undefined) return null;
  const issue = await promptFault({ folder, source, file, at });
  const canFire = !('trigger' in record) || record.trigger.type !== 'webhook';
  return issue === null ? null : { issue, failsFires: record.enabled && canFire };
}

/** The same of a trigger that was checked by itself, and is to stand in the file of its project under this name. */
export function warningsOfRecord(
  place: Pick<ProjectSnapshot, 'folder' | 'file'>,
  name: string | undefined,
  checked: { readonly value: TriggerRecord; readonly warnings: readonly Issue[] },
): readonly Issue[] {
  const { value: record } = checked;
  const second = place.file === null ? null : curatorWarning(place.file, name, record);
  const warnings = second === null ? checked.warnings : [...checked.warnings, second];
  return entryWarnings(place, 'trigger', { record, warnings });
}

/** A sentence on the prompt file of a trigger that would fire in vain; null where there is nothing to say. */
export function promptFaultOf({ folder }: Place, { key, prompt }: Definition): string | null {
  if (prompt === null || 'inline' in prompt) return null;
  const warning = promptWarning({ folder, source: key.source, file: prompt.file });
  return warning === null ? null : sentenceOf(warning, 'The trigger');
}

/** Why each fire of a trigger that is switched on will fail, in a sentence; null where nothing is in the way. */
export function problemOf(place: Place, definition: Definition): string | null {
  return definition.enabled ? promptFaultOf(place, definition) : null;
}

/** What a list says of an entry beside what it is: each is absent where there is nothing to say. */
interface Remarks {
  readonly problem?: string;
  readonly warnings?: readonly Issue[];
}

/** The remarks on an entry, with one look into the project folder. */
export function remarksOn(place: Place, source: Source, entry: Entry): Remarks {
  const fault = promptWarningOf(place, source, entry);
  const warnings = warningsWith(entry, fault);
  if (warnings.length === 0) return NO_REMARKS;
  const isInTheWay = fault !== null && entry.record.enabled;
  return { warnings, ...(isInTheWay ? { problem: sentenceOf(fault, 'The trigger') } : {}) };
}

const NO_REMARKS: Remarks = Object.freeze({});

/** The warnings of an entry as tools show it: absent where there are none. */
export function toldOf(place: Place, source: Source, entry: Entry): Pick<Remarks, 'warnings'> {
  const warnings = entryWarnings(place, source, entry);
  return warnings.length === 0 ? {} : { warnings };
}

function promptWarningOf({ folder }: Place, source: Source, entry: Entry): Issue | null {
  const { record, promptFileAt: at } = entry;
  const { promptFile: file } = 'run' in record ? record.run : record;
  return file === undefined ? null : promptWarning({ folder, source, file, at });
}

function warningsWith({ warnings }: Entry, fault: Issue | null): readonly Issue[] {
  return fault === null ? warnings : [...warnings, fault];
}
