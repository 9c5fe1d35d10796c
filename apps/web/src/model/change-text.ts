import type { TriggerChange } from '../data/api-types.ts';

const KINDS: Readonly<Record<TriggerChange['kind'], string>> = {
  defined: 'Defined',
  changed: 'Changed',
  enabled: 'Enabled',
  disabled: 'Disabled',
  removed: 'Removed',
  invalid: 'Invalid',
  fixed: 'Fixed',
  unreadable: 'project.yaml became unreadable',
  readable: 'project.yaml readable again',
  unconfirmed: 'project.yaml may have been changed by an agent',
  confirmed: 'project.yaml confirmed or restored',
  armed: 'Armed',
  disarmed: 'Disarmed',
  not_armed: 'Not armed',
  paused: 'Paused',
  resumed: 'Resumed',
  clock_set_back: 'Clock set back',
};

/** Describes a change of a trigger in a few words. */
export function changeText({ kind }: TriggerChange): string {
  return KINDS[kind];
}

const WAYS: Readonly<Record<TriggerChange['via'], string>> = {
  page: 'in the web UI',
  cli: 'on the command line',
  rest: 'over the REST API',
  client: 'over /mcp',
  agent: 'in its chat',
  file: 'in project.yaml',
  service: 'by svc',
};

/** Describes who made a change, and how. */
export function originText({ by, via }: TriggerChange): string {
  if (by === null) return WAYS[via];
  return `by ${by === 'user' ? 'a user' : by}, ${WAYS[via]}`;
}

/** Describes a changed field: its old and its new value. */
export function fieldText({ field, from, to }: TriggerChange['fields'][number]): string {
  if (from === null) return `${field}: ${to ?? ''}`;
  return `${field}: ${from} → ${to ?? 'absent'}`;
}
