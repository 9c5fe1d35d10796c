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
