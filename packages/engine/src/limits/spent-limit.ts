import { localDay } from '@svc/core';
import type { RunId } from '@svc/records';
import type { EngineDeps } from '../deps.ts';

/** Names of the daily limits in the settings and in `project.yaml`. */
export const DAILY_LIMITS = [
  'limits.firesPerDay',
  'policy.firesPerDay',
  'limits.costPerDayUsd',
  'costPerDayUsd',
  'policy.costPerDayUsd',
] as const;

/** A daily limit that was reached. */
export interface SpentLimit {
  readonly name: (typeof DAILY_LIMITS)[number];
  /** The project that has the limit; null for a limit of the instance. */
  readonly project: string | null;
  /** null for a limit of a project or of the instance. */
  readonly trigger: string | null;
  /** A sentence that names it. */
  readonly message: string;
}

type NoteDeps = Pick<EngineDeps, 'alerts' | 'clock' | 'store' | 'observer'>;

/** Records for alerts that a limit stopped a run, or, with null, something else; once per day and limit. */
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
