import type { TriggerChange } from '../data/shapes.ts';

const KINDS: Readonly<Record<TriggerChange['kind'], string>> = {
  defined: 'Defined',
  changed: 'Changed',
  switched_on: 'Switched on',
  switched_off: 'Switched off',
  removed: 'Removed',
  invalid: 'Invalid',
  mended: 'Mended',
  unreadable: 'project.yaml could not be read',
  readable: 'project.yaml could be read again',
  armed: 'Armed',
  disarmed: 'Disarmed',
  not_armed: 'Not armed',
  paused: 'Paused',
  resumed: 'Went on',
  clock_set_back: 'Clock set back',
};

/** What became of a trigger, in a word or two. */
export function changeText({ kind }: TriggerChange): string {
  return KINDS[kind];
}

const WAYS: Readonly<Record<TriggerChange['via'], string>> = {
  page: 'on the page',
  cli: 'on the command line',
  rest: 'over REST',
  client: 'over /mcp',
  agent: 'in its chat',
  file: 'in project.yaml',
  service: 'by svc itself',
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
