import { createHash } from 'node:crypto';
import { type Checked, invalid, parseDuration, success } from '@svc/core';
import type { ClientBound, Source, TriggerKey, TriggerType } from '@svc/records';
import { type CronRecurrence, parseCron } from '@svc/recurrence';
import type { ArmRequest } from '@svc/scheduler';
import {
  definitionText,
  type LegacySchedule,
  type ProjectFile,
  scheduleText,
  TRIGGER_DEFAULTS,
  type TriggerRecord,
} from '@svc/trigger-schema';

/** What a trigger and a legacy schedule have in common: when, what, and how. */
export interface Definition {
  readonly key: TriggerKey;
  readonly enabled: boolean;
  readonly type: TriggerType;
  readonly when: When | null;
  readonly prompt: { readonly inline: string } | { readonly file: string } | null;
  readonly session: 'new' | 'resume';
  readonly run: RunPart;
  readonly catchUp: 'none' | 'latest';
  /** null: the default of its kind of schedule. */
  readonly catchUpWindowMs: number | null;
  /** Longest time by which a start may be put off, in milliseconds; null: not at all. */
  readonly jitterMs: number | null;
  /** Most fires on a day; null for as many as there are. */
  readonly firesPerDay: number | null;
  /** What its runs, and all that they start, may cost on a day, in US dollars; null for any cost. */
  readonly costPerDayUsd: number | null;
  /** Whether it is paused after some failures in a row. */
  readonly isGuarded: boolean;
  /** The record that it was made of. */
  readonly record: TriggerRecord | LegacySchedule;
}

/** When a schedule fires. */
export type When =
  | { readonly kind: 'cron'; readonly cron: string; readonly timezone: string | null }
  | { readonly kind: 'interval'; readonly interval: string };

/** How the fired agent runs. */
interface RunPart {
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly runtime: string | null;
  readonly permissionMode: TriggerRecord['run']['permissionMode'] | null;
  readonly maxTurns: number;
  readonly maxSpawnDepth: number | null;
  readonly timeoutMs: number | null;
}

/** The definition behind a key; null when the file has no valid entry of that name. */
export function definitionOf(
  file: Pick<ProjectFile, 'triggers' | 'schedules'>,
  key: TriggerKey,
): Definition | null {
  if (key.source === 'trigger') {
    const entry = file.triggers.get(key.name);
    return entry === undefined ? null : ofTrigger(key, entry.record);
  }
  const entry = file.schedules.get(key.name);
  return entry === undefined ? null : ofSchedule(key, entry.record);
}

/** The definition that a record makes. */
export function definitionOfRecord(key: TriggerKey, record: TriggerRecord): Definition {
  return ofTrigger(key, record);
}

/** The bound that its daily budget is to its runs, and to all that they start; none without one. */
export function budgetOf({ key, costPerDayUsd }: Definition): ClientBound[] {
  if (costPerDayUsd === null) return [];
  const budget = { project: key.project, trigger: key.name, costPerDayUsd };
  return [{ projects: ['*'], denyProjects: [], maxSpawnDepth: null, budget }];
}

/** Every valid definition of a project. */
export function definitionsOf(project: string, file: ProjectFile): Definition[] {
  const keys = (source: Source, names: Iterable<string>) =>
    [...names].map((name) => definitionOf(file, { project, source, name }));
  return [
    ...keys('trigger', file.triggers.keys()),
    ...keys('schedule', file.schedules.keys()),
  ].filter((definition) => definition !== null);
}

function ofTrigger(key: TriggerKey, record: TriggerRecord): Definition {
  const { run, trigger, policy } = record;
  return {
    key,
    enabled: record.enabled,
    type: trigger.type,
    when: trigger.type === 'schedule' ? whenOf(trigger) : null,
    prompt: promptOf(run),
    session: run.session,
    run: {
      tools: run.tools,
      model: run.model ?? null,
      runtime: run.runtime ?? null,
      permissionMode: run.permissionMode ?? null,
      maxTurns: run.maxTurns,
      maxSpawnDepth: run.maxSpawnDepth ?? null,
      timeoutMs: durationOf(run.timeout),
    },
    catchUp: policy?.catchUp ?? TRIGGER_DEFAULTS.policy.catchUp,
    catchUpWindowMs: durationOf(policy?.catchUpWindow),
    jitterMs: durationOf(policy?.jitter),
    firesPerDay: policy?.firesPerDay ?? null,
    costPerDayUsd: policy?.costPerDayUsd ?? null,
    isGuarded: policy?.pauseAfterFailures !== undefined,
    record,
  };
}

function ofSchedule(key: TriggerKey, record: LegacySchedule): Definition {
  return {
    key,
    enabled: record.enabled,
    type: 'schedule',
    when: whenOf(record),
    prompt: promptOf(record),
    session: record.resume_session ? 'resume' : 'new',
    run: {
      tools: [],
      model: null,
      runtime: null,
      permissionMode: null,
      maxTurns: TRIGGER_DEFAULTS.run.maxTurns,
      maxSpawnDepth: null,
      timeoutMs: null,
    },
    catchUp: TRIGGER_DEFAULTS.policy.catchUp,
    catchUpWindowMs: null,
    jitterMs: null,
    firesPerDay: null,
    costPerDayUsd: null,
    isGuarded: false,
    record,
  };
}

interface TimeFields {
  readonly cron?: string | undefined;
  readonly interval?: string | undefined;
  readonly timezone?: string | undefined;
}

function whenOf(time: TimeFields): When {
  return time.cron === undefined
    ? { kind: 'interval', interval: time.interval ?? '' }
    : { kind: 'cron', cron: time.cron, timezone: time.timezone ?? null };
}

interface PromptFields {
  readonly prompt?: string | undefined;
  readonly promptFile?: string | undefined;
}

function promptOf(run: PromptFields): Definition['prompt'] {
  if (run.prompt !== undefined) return { inline: run.prompt };
  return run.promptFile === undefined ? null : { file: run.promptFile };
}

function durationOf(text: string | undefined): number | null {
  const parsed = text === undefined ? null : parseDuration(text);
  return parsed?.ok === true ? parsed.value : null;
}

/** A short text that changes whenever the given one does. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A short text that changes whenever the definition does. */
export function definitionHash(record: Definition['record']): string {
  const known = hashes.get(record);
  if (known !== undefined) return known;
  const made = hash(definitionText(record));
  hashes.set(record, made);
  return made;
}

// Records of a file stay the same objects for as long as it does, and each fire asks for its own.
const hashes = new WeakMap<Definition['record'], string>();

/**
 * How long after its instant each slot of a trigger is started, in milliseconds: a time up to its jitter that only its
 * project and name decide, so that it is the same on every machine and after every restart.
 */
export function startDelayOf({ key, jitterMs }: Definition): number {
  if (jitterMs === null) return 0;
  const digest = createHash('sha256').update(`${key.project}/${key.name}`).digest();
  return digest.readUInt32BE() % (jitterMs + 1);
}

/**
 * The order to the scheduler for an enabled schedule; null for what is never armed.
 *
 * @param hostMark tells zones of the host apart
 */
export function armRequestOf(definition: Definition, hostMark: string): Checked<ArmRequest> | null {
  if (!definition.enabled || definition.when === null) return null;
  const schedule = scheduleOf(definition.when);
  if (!schedule.ok) return schedule;
  return success({
    key: definition.key,
    schedule: schedule.value,
    scheduleHash: hash(
      `${scheduleText(definition.record) ?? ''}${zoneText(definition.when, hostMark)}`,
    ),
    definitionHash: definitionHash(definition.record),
    catchUp: definition.catchUp,
    catchUpWindowMs: definition.catchUpWindowMs,
    delayMs: startDelayOf(definition),
  });
}

// The same text means other instants in another zone of the host.
function zoneText(when: When, hostMark: string): string {
  return when.kind === 'cron' && when.timezone === null ? `\n${hostMark}` : '';
}

function scheduleOf(when: When): Checked<ArmRequest['schedule']> {
  if (when.kind === 'interval') return success({ kind: 'interval', text: when.interval });
  const parsed = cronOf(when);
  return parsed.ok
    ? success({ kind: 'cron', recurrence: parsed.value })
    : invalid(...parsed.issues);
}

/** The recurrence of a cron schedule. */
export function cronOf(when: When & { kind: 'cron' }): Checked<CronRecurrence> {
  return parseCron(when.cron, when.timezone === null ? {} : { timezone: when.timezone });
}

const HOUR_MS = 3_600_000;

/** How old a slot may be and still be made up for, in milliseconds. */
export function catchUpWindowOf(definition: Definition): number {
  if (definition.catchUpWindowMs !== null) return definition.catchUpWindowMs;
  return definition.when?.kind === 'interval'
    ? (durationOf(definition.when.interval) ?? HOUR_MS)
    : HOUR_MS;
}
