import { localDay } from '@svc/core';
import type { RunId } from '@svc/records';
import type { OpsDeps } from '../deps.ts';

/** Names of the daily limits, as the settings and `project.yaml` have them. */
export const DAILY_LIMITS = [
  'limits.firesPerDay',
  'policy.firesPerDay',
  'limits.costPerDayUsd',
  'costPerDayUsd',
  'policy.costPerDayUsd',
] as const;

/** A daily limit that is spent. */
export interface SpentLimit {
  readonly name: (typeof DAILY_LIMITS)[number];
  /** Whose limit it is; null for that of the instance. */
  readonly project: string | null;
  /** null for a limit of a project, and of the instance. */
  readonly trigger: string | null;
  /** A sentence that names it. */
  readonly message: string;
}

type NoteDeps = Pick<OpsDeps, 'alerts' | 'clock' | 'store' | 'observer'>;

/** Notes for alerts that a limit has stopped something, a run or, with null, something else; once a day and limit. */
export async function noteSpent(
  { alerts, clock, store, observer }: NoteDeps,
  { name, project, trigger, message }: SpentLimit,
  run: RunId | null,
): Promise<void> {
  if (alerts === undefined) return;
  const at = clock.now();
  const note = { limit: name, project, trigger, day: localDay(at), at, reason: message, run };
  if (await store.alerts.noteSpent(note)) observer?.limited?.();
}
