import type { ProjectSnapshot } from '@svc/projects';
import type { TriggerKey } from '@svc/records';
import { meantName } from '@svc/trigger-schema';
import type { OperationError } from '../errors.ts';

// Longer than any name that is allowed.
const LONGEST_SHOWN = 200;

/** A trigger that is not in a project, with the name that was probably meant. */
export function noTrigger(
  { slug, file }: Pick<ProjectSnapshot, 'slug' | 'file'>,
  { name, source }: Pick<TriggerKey, 'name' | 'source'>,
): OperationError {
  const known = source === 'trigger' ? file?.triggers : file?.schedules;
  const invalid = file?.invalid.filter((entry) => entry.source === source) ?? [];
  const meant = meantName(name, [...(known?.keys() ?? []), ...invalid.map((entry) => entry.name)]);
  const shown = name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return {
    code: 'not_found',
    message: `There is no ${source} ${shown} in the project ${slug}.${hint}`,
  };
}
