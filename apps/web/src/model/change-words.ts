import type { TriggerChange } from '../data/shapes.ts';

const KINDS: Readonly<Record<TriggerChange['kind'], string>> = {
  defined: 'Defined',
  changed: 'Changed',
  switched_on: 'Enabled',
  switched_off: 'Disabled',
  removed: 'Removed',
  invalid: 'Invalid',
  mended: 'Fixed',
  unreadable: 'project.yaml became unreadable',
  readable: 'project.yaml readable again',
  armed: 'Armed',
  disarmed: 'Disarmed',
  not_armed: 'Not armed',
  paused: 'Paused',
  resumed: 'Resumed',
  clock_set_back: 'Clock set back',
};

/** What became of a trigger, in a word or two. */
export function changeText({ kind }: TriggerChange): string {
  return KINDS[kind];
}

const WAYS: Readonly<Record<TriggerChange['via'], string>> = {
  page: 'on the page',
  cli: 'on the command line',
  rest: 'over the REST API',
  client: 'over /mcp',
  agent: 'in its chat',
  file: 'in project.yaml',
  service: 'by svc',
};

/** Who did it, and from where. */
export function originText({ by, via }: TriggerChange): string {
  if (by === null) return WAYS[via];
  return `by ${by === 'user' ? 'a person' : by}, ${WAYS[via]}`;
}

/** One changed field: what it was, and what it is. */
export function fieldText({ field, from, to }: TriggerChange['fields'][number]): string {
  if (from === null) return `${field}: ${to ?? ''}`;
  return `${field}: ${from} → ${to ?? 'absent'}`;
}
