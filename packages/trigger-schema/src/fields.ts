import { type DefaultsOf, defaultsOf, type Field, type Fields } from './field-row.ts';
import { conditionFields, policyFields, runFields, topFields } from './trigger-fields.schema.ts';

/** A map inside a trigger. */
export type Section = 'trigger' | 'run' | 'policy';

const FIELDS: Readonly<Record<Section | 'top', Fields>> = {
  trigger: conditionFields,
  run: runFields,
  policy: policyFields,
  top: topFields,
};

/** The rows of a map; null is the outermost one. */
export function fieldsOf(section: Section | null): Fields {
  return FIELDS[section ?? 'top'];
}

/** The field names of each map inside a trigger, in the order in which they are written. */
export const SECTIONS: Readonly<Record<Section, readonly string[]>> = {
  trigger: Object.keys(conditionFields),
  run: Object.keys(runFields),
  policy: Object.keys(policyFields),
};

/** The field names of the outermost map, in the order in which they are written. */
export const TOP_FIELDS = ['trigger', 'run', 'policy', 'enabled'] as const;

/** One field of a trigger and its section; null is the outermost map. */
export interface Row {
  readonly section: Section | null;
  readonly name: string;
  readonly field: Field;
}

/** Every field of a trigger, in the order of responses. */
export const ROWS: readonly Row[] = [
  ...rowsOf('trigger', conditionFields),
  ...rowsOf('run', runFields),
  ...rowsOf(null, topFields),
  ...rowsOf('policy', policyFields),
];

function rowsOf(section: Section | null, fields: Fields): Row[] {
  return Object.entries(fields).map(([name, field]) => ({ section, name, field }));
}

/** The defaults of absent fields of a trigger, whether a record contains them or not. */
export const TRIGGER_DEFAULTS: {
  readonly run: DefaultsOf<typeof runFields>;
  readonly policy: DefaultsOf<typeof policyFields>;
} = { run: defaultsOf(runFields), policy: defaultsOf(policyFields) };

export const SCHEDULE_FIELDS = [
  'type',
  'cron',
  'interval',
  'prompt',
  'promptFile',
  'resume_session',
  'enabled',
] as const;

/** Fields that a response adds to a record; a record that is sent back may contain them. */
export const READ_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'agentName',
  'project',
  'source',
  'lastRun',
  'usage',
  'unheld',
  'runtimeInForce',
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
