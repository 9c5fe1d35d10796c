import { type Issue, sentenceOf } from '@svc/core';
import { type ProjectSnapshot, promptWarning } from '@svc/projects';
import type { Source } from '@svc/records';
import type { Declared, LegacySchedule, TriggerRecord } from '@svc/trigger-schema';
import type { Definition } from './definition.ts';

type Entry = Declared<TriggerRecord | LegacySchedule>;
type Place = Pick<ProjectSnapshot, 'folder'>;

/** What the author of an entry should know: what its text shows, and what the project folder shows now. */
export function entryWarnings(place: Place, source: Source, entry: Entry): readonly Issue[] {
  const { record, warnings, promptFileAt: at } = entry;
  const { promptFile: file } = 'run' in record ? record.run : record;
  if (file === undefined) return warnings;
  const warning = promptWarning({ folder: place.folder, source, file, at });
  return warning === null ? warnings : [...warnings, warning];
}

/** The same of a trigger that was checked by itself. */
export function warningsOfRecord(
  place: Place,
  checked: { readonly value: TriggerRecord; readonly warnings: readonly Issue[] },
): readonly Issue[] {
  return entryWarnings(place, 'trigger', { record: checked.value, warnings: checked.warnings });
}

/** A sentence on the prompt file of a trigger that would fire in vain; null where there is nothing to say. */
export function promptFaultOf({ folder }: Place, { key, prompt }: Definition): string | null {
  if (prompt === null || 'inline' in prompt) return null;
  const warning = promptWarning({ folder, source: key.source, file: prompt.file });
  return warning === null ? null : sentenceOf(warning, 'The trigger');
}

/** The warnings of an entry as a list shows it: absent where there are none. */
export function toldOf(
  place: Place,
  source: Source,
  entry: Entry,
): { readonly warnings?: readonly Issue[] } {
  const warnings = entryWarnings(place, source, entry);
  return warnings.length === 0 ? {} : { warnings };
}
