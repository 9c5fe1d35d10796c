import { abridged, sentenceOf } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { TriggerKey } from '@svc/records';
import { type InvalidEntry, meantName } from '@svc/trigger-schema';
import type { OperationError } from '../errors.ts';

// Longer than any valid name.
const LONGEST_SHOWN = 200;

/** The error for a trigger that does not exist, with the most similar name, or that is invalid, with what is wrong. */
export function noTrigger(
  { slug, file }: Pick<ProjectSnapshot, 'slug' | 'file'>,
  { name, source }: Pick<TriggerKey, 'name' | 'source'>,
): OperationError {
  const known = source === 'trigger' ? file?.triggers : file?.schedules;
  const invalid = file?.invalid.filter((entry) => entry.source === source) ?? [];
  const broken = invalid.find((entry) => entry.name === name);
  if (broken !== undefined) return notValid(slug, broken);
  const meant = meantName(name, [...(known?.keys() ?? []), ...invalid.map((entry) => entry.name)]);
  const shown = abridged(name, LONGEST_SHOWN + 1);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return {
    code: 'not_found',
    message: `There is no ${source} ${shown} in the project ${slug}.${hint}`,
  };
}

function notValid(slug: string, { name, source, issues }: InvalidEntry): OperationError {
  const [first] = issues;
  const why = first === undefined ? '' : ` ${sentenceOf(first, 'The entry')}`;
  const others = issues.length > 1 ? ` Run svc validate to list all its errors.` : '';
  return {
    code: 'not_found',
    message: `${source === 'trigger' ? 'Trigger' : 'Schedule'} "${name}" in the project.yaml of "${slug}" is invalid and is ignored.${why}${others}`,
    issues,
  };
}
