import { parseInterval } from '@svc/recurrence';
import { shown } from '../plain.ts';
import type { Report } from '../report.ts';
import { type RuntimeRules, runtimeInForce } from './runtimes.ts';

const CHEAP_INTERVAL_MS = 5 * 60_000;

/** Warns of a sound interval so short that the turns it starts may cost much. */
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
    `${shown(interval)} fires ${fires} times a day, and each fire may cost model time of the runtime ${runtime.name}`,
  );
}
