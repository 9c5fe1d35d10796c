/** Names of the known fields, in the order in which they are written. */
export const TOP_FIELDS = ['trigger', 'run', 'policy', 'enabled'] as const;
export const CONDITION_FIELDS = ['type', 'cron', 'interval', 'timezone', 'on'] as const;
const RUN_FIELDS = [
  'prompt',
  'promptFile',
  'session',
  'tools',
  'model',
  'permissionMode',
  'maxTurns',
  'maxSpawnDepth',
  'timeout',
  'runtime',
] as const;
const POLICY_FIELDS = [
  'overlap',
  'catchUp',
  'catchUpWindow',
  'jitter',
  'pauseAfterFailures',
  'firesPerDay',
] as const;

/** The maps inside an entry, with the fields that each one knows. */
export const SECTIONS: Readonly<Record<'trigger' | 'run' | 'policy', readonly string[]>> = {
  trigger: CONDITION_FIELDS,
  run: RUN_FIELDS,
  policy: POLICY_FIELDS,
};

export const SCHEDULE_FIELDS = [
  'type',
  'cron',
  'interval',
  'prompt',
  'promptFile',
  'resume_session',
  'enabled',
] as const;

/** Fields that an answer adds to a record; a record that is sent back may hold them. */
export const READ_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'agentName',
  'project',
  'source',
  'lastRun',
  'lastRunAt',
  'lastOutcome',
  'lastError',
  'upcoming',
  'warnings',
  'armed',
  'running',
  'paused',
  'reason',
  'nextFire',
  'capability',
]);

export const DEFAULT_MAX_TURNS = 30;
