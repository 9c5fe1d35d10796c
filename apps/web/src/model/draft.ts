import type { TriggerPut } from '../data/api-types.ts';

/** A trigger as the form holds it. Every field but the tools is a text; an empty text means that the field is absent. */
export interface Draft {
  readonly when: 'cron' | 'interval' | 'event' | 'webhook';
  readonly cron: string;
  readonly interval: string;
  readonly timezone: string;
  readonly on: string;
  readonly promptFrom: 'text' | 'file';
  readonly prompt: string;
  readonly promptFile: string;
  readonly who: 'keeper' | 'agent';
  readonly tools: readonly string[];
  /** Which hosts its turns may connect to: those of the project, none, or those of `network`. */
  readonly hosts: 'project' | 'none' | 'listed';
  /** Hosts, one per line or separated by commas. Ignored unless `hosts` is `listed`. */
  readonly network: string;
  readonly session: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly maxTurns: string;
  readonly maxSpawnDepth: string;
  readonly timeout: string;
  readonly runtime: string;
  readonly catchUp: string;
  readonly catchUpWindow: string;
  readonly overlap: string;
  readonly jitter: string;
  readonly firesPerDay: string;
  readonly costPerDayUsd: string;
  readonly pauseAfterFailures: string;
}

export type DraftKey = keyof Draft;

/** The default of a new trigger: an agent with read-only tools. */
export const NEW_TRIGGER: TriggerPut = {
  trigger: { type: 'schedule', cron: '0 9 * * *' },
  run: { prompt: '', tools: ['Read', 'Glob', 'Grep'] },
};

const CONDITION_KEYS = ['when', 'cron', 'interval', 'timezone', 'on'] as const;
const NETWORK_KEYS = ['hosts', 'network'] as const;
const PROMPT_KEYS = ['promptFrom', 'prompt', 'promptFile'] as const;
const RUN_TEXTS = ['session', 'model', 'permissionMode', 'timeout', 'runtime'] as const;
const RUN_NUMBERS = ['maxTurns', 'maxSpawnDepth'] as const;
const POLICY_TEXTS = ['catchUp', 'catchUpWindow', 'overlap', 'jitter'] as const;
const POLICY_NUMBERS = ['firesPerDay', 'costPerDayUsd', 'pauseAfterFailures'] as const;
const POLICY_KEYS = [...POLICY_TEXTS, ...POLICY_NUMBERS];

// Changing the first field also selects the second.
const CHOICE_OF: Readonly<Partial<Record<DraftKey, DraftKey>>> = {
  cron: 'when',
  interval: 'when',
  on: 'when',
  prompt: 'promptFrom',
  promptFile: 'promptFrom',
  tools: 'who',
  network: 'hosts',
};

/** Converts a record to form fields. */
export function draftOf({ trigger, run, policy }: TriggerPut): Draft {
  const tools = run?.tools ?? [];
  return {
    when: whenOf(trigger),
    cron: trigger.cron ?? '',
    interval: trigger.interval ?? '',
    timezone: trigger.timezone ?? '',
    on: trigger.on ?? '',
    promptFrom: run?.promptFile ? 'file' : 'text',
    prompt: run?.prompt ?? '',
    promptFile: run?.promptFile ?? '',
    who: tools.length === 0 && trigger.type === 'schedule' ? 'keeper' : 'agent',
    tools,
    ...networkFieldsOf(run?.network ?? null),
    ...textsOf(run ?? {}),
    ...policyTextsOf(policy ?? {}),
  };
}

function whenOf(trigger: TriggerPut['trigger']): Draft['when'] {
  if (trigger.type !== 'schedule') return trigger.type;
  return trigger.interval ? 'interval' : 'cron';
}

// An absent list and an empty one are different: only the first inherits the hosts of the project.
function networkFieldsOf(network: readonly string[] | null): Pick<Draft, 'hosts' | 'network'> {
  if (network === null) return { hosts: 'project', network: '' };
  return { hosts: network.length === 0 ? 'none' : 'listed', network: network.join('\n') };
}

/** The hosts that a draft lists; empty unless it allows only listed hosts. */
export function listedHosts({ hosts, network }: Pick<Draft, 'hosts' | 'network'>): string[] {
  if (hosts !== 'listed') return [];
  return network
    .split(/[\n,]/)
    .map((host) => host.trim())
    .filter((host) => host !== '');
}

/** Adds a host to the hosts of a draft. A draft without an own list stays as it is. */
export function withHost(draft: Draft, host: string): Draft {
  const listed = listedHosts(draft);
  if (draft.hosts === 'project' || listed.includes(host)) return draft;
  return { ...draft, hosts: 'listed', network: [...listed, host].join('\n') };
}

function textsOf(run: NonNullable<TriggerPut['run']>) {
  return {
    session: run.session ?? 'new',
    model: run.model ?? '',
    permissionMode: run.permissionMode ?? '',
    maxTurns: String(run.maxTurns ?? 30),
    maxSpawnDepth: String(run.maxSpawnDepth ?? ''),
    timeout: run.timeout ?? '',
    runtime: run.runtime ?? '',
  };
}

function policyTextsOf(policy: NonNullable<TriggerPut['policy']>) {
  return {
    catchUp: policy.catchUp ?? 'latest',
    catchUpWindow: policy.catchUpWindow ?? '',
    overlap: policy.overlap ?? '',
    jitter: policy.jitter ?? '',
    firesPerDay: String(policy.firesPerDay ?? ''),
    costPerDayUsd: String(policy.costPerDayUsd ?? ''),
    pauseAfterFailures: String(policy.pauseAfterFailures ?? ''),
  };
}

/** The keys of the fields that differ between two drafts. */
export function changedKeys(draft: Draft, base: Draft): DraftKey[] {
  const keys = Object.keys(draft) as DraftKey[];
  return keys.filter((key) => contentOf(draft, key) !== contentOf(base, key));
}

// The way in which the hosts are separated is no change.
function contentOf(draft: Draft, key: DraftKey): string {
  return String(key === 'network' ? listedHosts(draft) : draft[key]);
}

/** Whether a draft has the same fire condition as a record. */
export function hasScheduleOf(draft: Draft, record: TriggerPut): boolean {
  const stored = draftOf(record);
  return CONDITION_KEYS.every((key) => draft[key] === stored[key]);
}

/** Applies the changes of the form to the record; all other fields stay, including those the form does not show. */
export function recordOf(draft: Draft, base: TriggerPut): TriggerPut {
  const changed = new Set(changedKeys(draft, draftOf(base)));
  const has = (keys: readonly DraftKey[]): boolean => keys.some((key) => changed.has(key));
  return {
    ...base,
    ...(has(CONDITION_KEYS) && { trigger: conditionOf(draft, base.trigger) }),
    run: runOf(draft, base.run ?? {}, has),
    ...(has(POLICY_KEYS) && { policy: policyOf(draft, base.policy ?? {}, has) }),
  };
}

function conditionOf(draft: Draft, base: TriggerPut['trigger']): TriggerPut['trigger'] {
  const { when, cron, interval, timezone, on } = draft;
  switch (when) {
    case 'cron':
      return { type: 'schedule', cron, ...(timezone !== '' && { timezone }) };
    case 'interval':
      return { type: 'schedule', interval };
    case 'event':
      return { type: 'event', on: on as 'onArchive' };
    case 'webhook':
      return base;
  }
}

type Has = (keys: readonly DraftKey[]) => boolean;
type Fields = Record<string, unknown>;

function runOf(draft: Draft, base: object, has: Has): NonNullable<TriggerPut['run']> {
  const run: Fields = { ...base };
  if (has(PROMPT_KEYS)) {
    put(run, 'prompt', draft.promptFrom === 'text' ? draft.prompt : '');
    put(run, 'promptFile', draft.promptFrom === 'file' ? draft.promptFile : '');
  }
  if (has(['who', 'tools', 'when'])) run['tools'] = toolsOf(draft);
  if (has(NETWORK_KEYS)) putNetwork(run, draft);
  for (const key of RUN_TEXTS) if (has([key])) put(run, key, draft[key]);
  for (const key of RUN_NUMBERS) if (has([key])) put(run, key, numberOf(draft[key]));
  return run;
}

function putNetwork(run: Fields, draft: Draft): void {
  if (draft.hosts === 'project') delete run['network'];
  else run['network'] = listedHosts(draft);
}

/** The tools that a draft grants; an empty list on a schedule means the keeper. */
export function toolsOf({ who, tools, when }: Draft): readonly string[] & string[] {
  return who === 'keeper' && when !== 'event' ? [] : [...tools];
}

function policyOf(draft: Draft, base: object, has: Has): NonNullable<TriggerPut['policy']> {
  const policy: Fields = { ...base };
  for (const key of POLICY_TEXTS) if (has([key])) put(policy, key, draft[key]);
  for (const key of POLICY_NUMBERS) if (has([key])) put(policy, key, numberOf(draft[key]));
  return policy;
}

function put(fields: Fields, key: string, value: string | number): void {
  if (value === '') delete fields[key];
  else fields[key] = value;
}

// An invalid number is sent as it is: the service explains what is valid.
function numberOf(text: string): string | number {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

/** Applies the changes from `base` to `mine` to `theirs`. */
export function applyChanges(mine: Draft, base: Draft, theirs: Draft): Draft {
  const keys = new Set(changedKeys(mine, base).flatMap((key) => [key, CHOICE_OF[key] ?? key]));
  const own = Object.entries(mine).filter(([key]) => keys.has(key as DraftKey));
  return { ...theirs, ...Object.fromEntries(own) };
}
