import { parseInterval } from '@svc/recurrence';
import { shown } from '../plain.ts';
import type { Report } from '../report.ts';
import type { TriggerRecord } from '../trigger-record.schema.ts';
import { type RuntimeRules, runtimeInForce } from './runtimes.ts';

const CHEAP_INTERVAL_MS = 5 * 60_000;

/** Warns of an interval so short that its turns may be expensive. */
export function warnOfCost(
  interval: string | undefined,
  path: readonly string[],
  run: { readonly runtime?: string | undefined; readonly model?: string | undefined },
  rules: RuntimeRules,
  report: Report,
): void {
  if (interval === undefined) return;
  const runtime = runtimeInForce(run.runtime, rules);
  if (runtime?.costly !== true) return;
  if (run.model !== undefined && runtime.freeModels?.includes(run.model)) return;
  const parsed = parseInterval(interval, { anchor: 0 });
  if (!parsed.ok || parsed.value.periodMs >= CHEAP_INTERVAL_MS) return;
  const fires = Math.round(86_400_000 / parsed.value.periodMs);
  report.warn(
    path,
    `${shown(interval)} fires ${fires} times a day, and each run may incur model costs on the ${runtime.name} runtime`,
  );
}

/** Refuses a cost limit on a runtime whose turns have no known cost. */
export function checkCostLimit(
  { run, policy }: CostLimited,
  rules: RuntimeRules,
  report: Report,
): void {
  const isOwn = policy?.costPerDayUsd !== undefined;
  if (!isOwn && (rules.projectCostPerDayUsd ?? null) === null) return;
  const runtime = runtimeInForce(run?.runtime, rules);
  if (runtime?.costUnknown === undefined) return;
  const model = run?.model ?? rules.defaultModel;
  if (model !== undefined && runtime.freeModels?.includes(model)) return;
  const path = run === undefined ? [] : ['run', 'runtime'];
  if (isOwn) report.fault(['policy', 'costPerDayUsd'], runtime.costUnknown);
  else
    report.fault(path, `conflicts with the costPerDayUsd of the project: ${runtime.costUnknown}`);
}

/** A trigger; without `run` a legacy schedule. */
interface CostLimited {
  readonly run?: Pick<TriggerRecord['run'], 'runtime' | 'model'>;
  readonly policy?: TriggerRecord['policy'];
}
