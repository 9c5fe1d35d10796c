import type { Draft, DraftKey } from './draft.ts';

/** A fault or a warning, as the service tells it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The fields of the form by name. */
export const LABELS: Readonly<Record<DraftKey, string>> = {
  when: 'When',
  cron: 'Cron expression',
  interval: 'Interval',
  timezone: 'Time zone',
  on: 'Event',
  promptFrom: 'Prompt from',
  prompt: 'Prompt',
  promptFile: 'Prompt file',
  who: 'Who',
  tools: 'Tools',
  session: 'Chat',
  model: 'Model',
  permissionMode: 'Permission mode',
  maxTurns: 'Most turns',
  maxSpawnDepth: 'Depth of child turns',
  timeout: 'Longest time',
  runtime: 'Runtime',
  catchUp: 'Missed fires',
  catchUpWindow: 'How old a missed fire may be',
  overlap: 'While a run goes on',
  jitter: 'Start later by up to',
  firesPerDay: 'Most fires a day',
  costPerDayUsd: 'Most cost a day, US dollars',
  pauseAfterFailures: 'Paused after failures in a row',
};

const WORDS: Readonly<Partial<Record<DraftKey, Readonly<Record<string, string>>>>> = {
  when: { cron: 'Schedule', interval: 'Interval', event: 'Event', webhook: 'Webhook' },
  promptFrom: { text: 'Here', file: 'A file' },
  who: { keeper: 'The keeper', agent: 'Own agent' },
};

/** The value of a field for people. */
export function valueText(draft: Draft, key: DraftKey): string {
  const value = draft[key];
  const text = typeof value === 'string' ? value : value.join(', ');
  return WORDS[key]?.[text] ?? (text === '' ? 'none' : text);
}

/** The field that an issue is about; `name` for the name, null for one that stands in no field of the form. */
export function fieldOf({ path }: Issue, draft: Draft): DraftKey | 'name' | null {
  const key = /(?:^|\.)(\w+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  if (path === 'name') return 'name';
  if (/^run\.prompt(File)?$/.test(path))
    return draft.promptFrom === 'file' ? 'promptFile' : 'prompt';
  if (path === 'trigger.cron' && draft.when === 'interval') return 'interval';
  return Object.hasOwn(LABELS, key) ? (key as DraftKey) : null;
}

/** What the form knows to be wrong before the service is asked. */
export function ownIssues(draft: Draft, name: string): readonly Issue[] {
  const isKeeperByMistake =
    draft.who === 'agent' && draft.tools.length === 0 && draft.when !== 'event';
  return [
    ...(name.trim() === '' ? [{ path: 'name', message: 'must not be blank.' }] : []),
    ...(isKeeperByMistake && draft.when !== 'webhook'
      ? [{ path: 'run.tools', message: 'has no tool: choose one at least, or the keeper.' }]
      : []),
  ];
}
