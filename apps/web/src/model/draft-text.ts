import { type Draft, type DraftKey, listedHosts } from './draft.ts';

/** An error or a warning of the service. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The labels of the form fields. */
export const LABELS: Readonly<Record<DraftKey, string>> = {
  when: 'Trigger type',
  cron: 'Cron expression',
  interval: 'Interval',
  timezone: 'Time zone',
  on: 'Event',
  promptFrom: 'Prompt source',
  prompt: 'Prompt',
  promptFile: 'Prompt file',
  who: 'Agent',
  tools: 'Tools',
  hosts: 'Hosts it may connect to',
  network: 'Listed hosts',
  session: 'Chat',
  model: 'Model',
  permissionMode: 'Permission mode',
  maxTurns: 'Maximum model calls',
  maxSpawnDepth: 'Maximum spawn depth',
  timeout: 'Timeout',
  runtime: 'Runtime',
  catchUp: 'Catch-up',
  catchUpWindow: 'Catch-up window',
  overlap: 'Overlap',
  jitter: 'Jitter',
  firesPerDay: 'Daily run limit',
  costPerDayUsd: 'Daily cost limit (US dollars)',
  pauseAfterFailures: 'Pause after consecutive failures',
};

/** The choices of hosts, each with its label. */
export const HOST_CHOICES: Readonly<Record<Draft['hosts'], string>> = {
  project: 'As the project',
  none: 'None',
  listed: 'Only these',
};

const WORDS: Readonly<Partial<Record<DraftKey, Readonly<Record<string, string>>>>> = {
  when: { cron: 'Schedule', interval: 'Interval', event: 'Event', webhook: 'Webhook' },
  promptFrom: { text: 'Text', file: 'File' },
  who: { keeper: 'Keeper', agent: 'Agent with listed tools' },
  hosts: HOST_CHOICES,
};

/** The display text of a field value. */
export function valueText(draft: Draft, key: DraftKey): string {
  const value = key === 'network' ? listedHosts(draft) : draft[key];
  const text = typeof value === 'string' ? value : value.join(', ');
  return WORDS[key]?.[text] ?? (text === '' ? 'none' : text);
}

/** The field of an issue; `name` for the name, null when the form has no such field. */
export function fieldOf({ path }: Issue, draft: Draft): DraftKey | 'name' | null {
  const key = /(?:^|\.)(\w+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  if (path === 'name') return 'name';
  if (/^run\.prompt(File)?$/.test(path))
    return draft.promptFrom === 'file' ? 'promptFile' : 'prompt';
  if (path === 'trigger.cron' && draft.when === 'interval') return 'interval';
  return Object.hasOwn(LABELS, key) ? (key as DraftKey) : null;
}

/** The errors that the form detects without the service. */
export function ownIssues(draft: Draft, name: string): readonly Issue[] {
  const isKeeperByMistake =
    draft.who === 'agent' && draft.tools.length === 0 && draft.when !== 'event';
  return [
    ...(name.trim() === '' ? [{ path: 'name', message: 'must not be blank.' }] : []),
    ...(isKeeperByMistake && draft.when !== 'webhook'
      ? [
          {
            path: 'run.tools',
            message: 'must list at least one tool. Select a tool, or select the keeper.',
          },
        ]
      : []),
    ...(draft.hosts === 'listed' && listedHosts(draft).length === 0
      ? [
          {
            path: 'run.network',
            message: 'must list at least one host. Add a host, or select None.',
          },
        ]
      : []),
  ];
}
