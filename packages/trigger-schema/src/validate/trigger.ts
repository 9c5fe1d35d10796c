import { type Issue, isRecord } from '@svc/core';
import { GRANTABLE_TOOLS } from '@svc/records';
import { defined, own, shown } from '../plain.ts';
import { createBudget, createReport, hiddenOf, type Report } from '../report.ts';
import type {
  TriggerCondition,
  TriggerPolicy,
  TriggerRecord,
  TriggerRun,
} from '../trigger-record.schema.ts';
import { readCondition } from './condition.ts';
import { checkCostLimit, warnOfCost } from './cost.ts';
import type { HostRules } from './hosts.ts';
import { checkTopKeys, type UnknownKeys } from './keys.ts';
import { readPolicy } from './policy.ts';
import { type RunRules, readRun } from './run.ts';
import {
  NATIVE,
  type RuntimeRules,
  runtimeInForce,
  sandboxAccess,
  unenforcedLimits,
} from './runtimes.ts';
import { fault, given, readBoolean, readMap, type Scope } from './scope.ts';
import { toolsLacking, type UnavailableTool } from './tools.ts';

/** Validation rules of a trigger. All are optional. */
export interface TriggerRules extends RuntimeRules {
  /** Shortest interval in milliseconds. Default 1000. */
  readonly minIntervalMs?: number;
  /** Tools that `run.tools` may name. Default: the whole catalogue. */
  readonly tools?: readonly string[];
  /** Tools that are accepted with a warning, because they do not exist when the trigger fires. Default: none. */
  readonly unavailableTools?: readonly UnavailableTool[];
  /** Lists of hosts that `run.network` cannot exceed. Default: none. */
  readonly hosts?: HostRules;
  /** How unknown fields are treated. Default: `warn`. */
  readonly unknownKeys?: UnknownKeys;
  /**
   * How limits that the runtime cannot enforce are treated. Such a trigger can be kept, but never fires. Default:
   * `refuse`.
   */
  readonly unenforcedLimits?: 'refuse' | 'warn';
}

/** The result of validation: every fault, or the record with its warnings. */
export type Validated<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly warnings: readonly Issue[] };

/**
 * Checks a trigger as it is written, `{ trigger, run, enabled, policy }`, and fills in its defaults.
 *
 * Any value may be given and nothing is thrown. Every fault is reported, with a path such as `run.tools[2]`. `null` is
 * the same as absent. Names of fields are exact. Nothing is read from disk: a `promptFile` need not exist.
 */
export function validateTrigger(
  value: unknown,
  options: TriggerRules = {},
): Validated<TriggerRecord> {
  return judge((report) => checkTrigger(value, options, report));
}

/** Runs a check of a value that stands alone. */
export function judge<T>(check: (report: Report) => T | null): Validated<T> {
  const budget = createBudget();
  const validated = outcome(
    createReport(() => null, budget),
    check,
  );
  return { ...validated, warnings: [...validated.warnings, ...hiddenOf(budget)] };
}

/** Runs a check and turns its report into a result. */
export function outcome<T>(report: Report, check: (report: Report) => T | null): Validated<T> {
  const value = check(report);
  const { warnings, unknown } = report;
  const issues = report.issues();
  if (value !== null && issues.length === 0) return { ok: true, value, warnings };
  // An unknown field is often a misspelt required one.
  const others = warnings.filter((warning) => !unknown.includes(warning));
  return { ok: false, issues: [...issues, ...unknown], warnings: others };
}

/** Like `validateTrigger`, with a given report; null if the value cannot be read. */
export function checkTrigger(
  value: unknown,
  options: TriggerRules,
  report: Report,
): TriggerRecord | null {
  if (!isRecord(value)) {
    const is = value === null || value === undefined ? 'empty' : shown(value);
    report.fault([], `is ${is}; it must be a map with the fields trigger, run and enabled`);
    return null;
  }
  const top: Scope = { record: value, path: [], report };
  const unknownKeys = options.unknownKeys ?? 'warn';
  checkTopKeys(top, unknownKeys);
  const condition = readConditionOf(top, options.minIntervalMs ?? 1000, unknownKeys);
  const run = readRunOf(top, runRulesOf(top, options, unknownKeys));
  if (condition !== null && 'interval' in condition) {
    warnOfCost(condition.interval, ['trigger', 'interval'], run, options, report);
  }
  const enabled = readBoolean(top, 'enabled') ?? false;
  const policy = readPolicyOf(top, run.session, unknownKeys);
  if (condition === null) return null;
  const record = defined({ trigger: condition, run, enabled, policy }) as TriggerRecord;
  warnOfNoEffect(record, report);
  checkLimits(record, options, report);
  checkCostLimit(record, options, report);
  return record;
}

function runRulesOf(top: Scope, options: TriggerRules, unknownKeys: UnknownKeys): RunRules {
  const {
    runtimes = [NATIVE],
    tools = GRANTABLE_TOOLS,
    unavailableTools = [],
    hosts = {},
  } = options;
  const section = own(top.record, 'run');
  const written = isRecord(section) ? own(section, 'runtime') : undefined;
  const runtime = runtimeInForce(typeof written === 'string' ? written : undefined, options);
  const lacking = runtime === undefined ? [] : toolsLacking(tools, runtime);
  return {
    runtimes,
    tools,
    unavailableTools: [...unavailableTools, ...lacking],
    unknownKeys,
    hosts,
  };
}

function checkLimits(record: TriggerRecord, options: TriggerRules, report: Report): void {
  const { run, trigger } = record;
  const runtime = runtimeInForce(run.runtime, options);
  if (runtime === undefined) return;
  const limits = { ...run, onEvent: trigger.type === 'event' };
  const access = sandboxAccess(run.tools, runtime);
  if (access !== null) report.warn(['run', 'tools'], access);
  const tell = options.unenforcedLimits === 'warn' ? report.warn : report.fault;
  for (const { field, message } of unenforcedLimits(limits, runtime, options.runtimes)) {
    tell(
      ['run', field],
      options.unenforcedLimits === 'warn' ? `${message}; it will not fire` : message,
    );
  }
}

function readConditionOf(
  top: Scope,
  minIntervalMs: number,
  unknownKeys: UnknownKeys,
): TriggerCondition | null {
  if (given(top, 'trigger') === undefined) {
    fault(top, 'trigger', 'is required: a map such as { type: schedule, cron: "0 9 * * *" }');
  }
  const section = readMap(top, 'trigger');
  return section === undefined ? null : readCondition(section, minIntervalMs, unknownKeys);
}

function readPolicyOf(
  top: Scope,
  session: TriggerRun['session'],
  unknownKeys: UnknownKeys,
): TriggerPolicy | undefined {
  const section = readMap(top, 'policy');
  if (section === undefined) return undefined;
  const policy = readPolicy(section, session, unknownKeys);
  return Object.keys(policy).length === 0 ? undefined : policy;
}

function readRunOf(top: Scope, rules: RunRules): TriggerRun {
  const when = own(top.record, 'trigger');
  const required = !(isRecord(when) && own(when, 'type') === 'webhook');
  const section = readMap(top, 'run');
  if (section !== undefined) return readRun(section, required, rules);
  if (required && given(top, 'run') === undefined) {
    fault(top, 'run', 'is required: a map with a prompt or a promptFile');
  }
  return readRun({ record: {}, path: ['run'], report: createReport() }, false, rules);
}

function warnOfNoEffect(record: TriggerRecord, report: Report): void {
  const { trigger, policy } = record;
  if (trigger.type === 'schedule' || policy === undefined) return;
  for (const field of ['catchUp', 'catchUpWindow', 'jitter'] as const) {
    if (policy[field] !== undefined) {
      report.warn(['policy', field], `has no effect on a trigger of type '${trigger.type}'`);
    }
  }
}
