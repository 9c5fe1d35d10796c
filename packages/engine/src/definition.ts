import { createHash } from 'node:crypto';
import { type Checked, invalid, parseDuration, success } from '@svc/core';
import type { ClientBound, Source, TriggerKey, TriggerType } from '@svc/records';
import { type CronRecurrence, parseCron } from '@svc/recurrence';
import { type ArmRequest, defaultCatchUpWindow } from '@svc/scheduler';
import {
  definitionText,
  type LegacySchedule,
  type ProjectFile,
  scheduleText,
  TRIGGER_DEFAULTS,
  type TriggerRecord,
} from '@svc/trigger-schema';

/** The common form of a trigger and a legacy schedule. */
export interface Definition {
  readonly key: TriggerKey;
  readonly enabled: boolean;
  readonly type: TriggerType;
  readonly when: When | null;
  readonly prompt: { readonly inline: string } | { readonly file: string } | null;
  readonly session: 'new' | 'resume';
  readonly run: RunPart;
  readonly catchUp: 'none' | 'latest';
  /** null: the default for its kind of schedule. */
  readonly catchUpWindowMs: number | null;
  /** Maximum start delay in milliseconds; null: none. */
  readonly jitterMs: number | null;
  /** Maximum number of starts per day; null: unlimited. */
  readonly firesPerDay: number | null;
  /** Maximum cost per day of its runs and everything that they start, in US dollars; null: unlimited. */
  readonly costPerDayUsd: number | null;
  /** Whether it is paused after consecutive failures. */
  readonly isGuarded: boolean;
  /** The record it was made from. */
  readonly record: TriggerRecord | LegacySchedule;
}

/** The schedule. */
export type When =
  | { readonly kind: 'cron'; readonly cron: string; readonly timezone: string | null }
  | { readonly kind: 'interval'; readonly interval: string };

/** How the agent runs. */
interface RunPart {
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly runtime: string | null;
  readonly permissionMode: TriggerRecord['run']['permissionMode'] | null;
  readonly maxTurns: number;
  readonly maxSpawnDepth: number | null;
  readonly timeoutMs: number | null;
  /** Hosts that turns may connect to; null: those of the project. */
  readonly network: readonly string[] | null;
}

/** The definition of a key; null if the file has no valid entry with that name. */
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

/** The definition of a record. */
export function definitionOfRecord(key: TriggerKey, record: TriggerRecord): Definition {
  return ofTrigger(key, record);
}

/** The daily budget as a bound for its runs and everything that they start; empty without a budget. */
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
      network: run.network ?? null,
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
      network: null,
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

/** A short text that changes whenever the given one changes. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A short text that changes whenever the definition changes. */
export function definitionHash(record: Definition['record']): string {
  const known = hashes.get(record);
  if (known !== undefined) return known;
  const made = hash(definitionText(record));
  hashes.set(record, made);
  return made;
}

// The records of a file are the same objects as long as the file is unchanged, and each fire needs a hash.
const hashes = new WeakMap<Definition['record'], string>();

/**
 * The start delay of each slot of a trigger, in milliseconds: up to its jitter, and determined only by project and
 * name, so that it is the same on every machine and after every restart.
 */
export function startDelayOf({ key, jitterMs }: Definition): number {
  if (jitterMs === null) return 0;
  const digest = createHash('sha256').update(`${key.project}/${key.name}`).digest();
  return digest.readUInt32BE() % (jitterMs + 1);
}

/**
 * The arm request for an enabled schedule; null for a trigger that is never armed.
 *
 * @param hostMark identifies the time zone of the host
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

// In another time zone of the host, the same text means other instants.
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

/** The maximum age of a slot that is still caught up, in milliseconds. */
export function catchUpWindowOf(definition: Definition): number {
  const { when, catchUpWindowMs } = definition;
  const periodMs = when?.kind === 'interval' ? durationOf(when.interval) : null;
  return catchUpWindowMs ?? defaultCatchUpWindow(periodMs);
}
