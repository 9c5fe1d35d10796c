import { parseInterval } from '@svc/recurrence';
import { shown } from '../plain.ts';
import type { Report } from '../report.ts';

/** What decides whether a turn may cost money. */
export interface CostRules {
  /** Runtimes whose turns may cost money. Default: all of them. */
  readonly costlyRuntimes?: readonly string[];
  /** The runtime of what names none. Default `native`. */
  readonly defaultRuntime?: string;
}

const CHEAP_INTERVAL_MS = 5 * 60_000;

/** Warns of a sound interval so short that the turns it starts may cost much. */
export function warnOfCost(
  interval: string | undefined,
  path: readonly string[],
  runtime: string | undefined,
  { costlyRuntimes, defaultRuntime = 'native' }: CostRules,
  report: Report,
): void {
  if (interval === undefined) return;
  if (costlyRuntimes?.includes(runtime ?? defaultRuntime) === false) return;
  const parsed = parseInterval(interval, { anchor: 0 });
  if (!parsed.ok || parsed.value.periodMs >= CHEAP_INTERVAL_MS) return;
  const fires = Math.round(86_400_000 / parsed.value.periodMs);
  report.warn(
    path,
    `${shown(interval)} fires ${fires} times a day, and each fire may cost model time`,
  );
}
