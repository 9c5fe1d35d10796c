import { RUN_OUTCOMES, RUN_STATES, runSchema } from '@svc/records';
import type { FieldsOf, FromSchema } from '@svc/schema';
import { legacyScheduleSchema, triggerRecordSchema } from '@svc/trigger-schema';
import {
  type Extended,
  exactly,
  extended,
  firesPerDay,
  flag,
  id,
  issueSchema,
  listOf,
  text,
  textOrNull,
  time,
  warnings,
} from '../common.schema.ts';
import { triggerUsageSchema } from './usage.ts';

const recentRunSchema = {
  $id: 'RecentRun',
  ...exactly({
    id,
    state: { enum: RUN_STATES },
    outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it ends.' },
    reason: {
      ...textOrNull,
      description:
        'Why it did not succeed, at most 300 characters; null if it succeeded or is running.',
    },
    at: { ...time, description: 'Scheduled time; without a slot, the time it was claimed.' },
  }),
} as const;

const scheduleFactsSchema = {
  $id: 'ScheduleFacts',
  ...exactly({
    description: { ...text, description: 'The schedule in words.' },
    timezone: {
      ...textOrNull,
      description: 'Time zone of the cron expression; null for an interval.',
    },
    firesPerDay,
  }),
} as const;

const shownSchemas = {
  lastRun: { anyOf: [runSchema, { type: 'null' }], description: 'The newest run.' },
  recentRuns: {
    ...listOf(recentRunSchema),
    maxItems: 10,
    description: 'The newest runs, newest first.',
  },
  schedule: {
    anyOf: [scheduleFactsSchema, { type: 'null' }],
    description: 'null without a schedule.',
  },
  usage: triggerUsageSchema,
  runtimeInForce: {
    ...text,
    description: 'The runtime in effect: of the trigger, else of the project, else the default.',
  },
  upcoming: { ...listOf(time), maxItems: 5, description: 'Next runs, if armed.' },
} as const;

const problem = {
  ...text,
  description:
    'Why every run would currently fail, in one sentence: unusable prompt file, no model for its prompt, runtime not ready, or limits that the runtime cannot enforce. Absent if there is no problem, or if disabled.',
} as const;

const unheld = {
  ...listOf(issueSchema),
  description:
    'Limits that its runtime cannot enforce, which prevent it from firing; absent if none.',
} as const;

/** Present only if they have a value. */
const remarkSchemas = { problem, warnings, unheld } as const;

const listedSchemas = {
  ...shownSchemas,
  etag: { ...text, description: 'Entity tag of the trigger, for `If-Match`.' },
} as const;

// An interface, because the compiler cannot spell out the type of the schema of records in another package.
interface ListedTriggerSchema
  extends Extended<typeof triggerRecordSchema, typeof listedSchemas, typeof remarkSchemas> {
  readonly $id: 'ListedTrigger';
}

const listedTriggerSchema: ListedTriggerSchema = {
  ...extended(triggerRecordSchema, listedSchemas, remarkSchemas),
  $id: 'ListedTrigger',
};

const listedScheduleSchema = {
  $id: 'LegacySchedule',
  description: 'An entry of the legacy schedules map; read-only here.',
  oneOf: legacyScheduleSchema.oneOf.map((kind) =>
    extended(kind, { name: text, ...shownSchemas }, remarkSchemas),
  ),
};

const invalidEntrySchema = {
  $id: 'InvalidEntry',
  description: 'An invalid entry or file, and why it is ignored.',
  ...exactly({
    name: text,
    source: { enum: ['trigger', 'schedule', 'file'] },
    kind: {
      enum: ['invalid', 'unreadable', 'unconfirmed'],
      description:
        '`unreadable`: project.yaml cannot be read; its last valid version stays in effect, and it cannot be changed until it is fixed. `unconfirmed`: the same, because an agent may have changed the file; a person must confirm it.',
    },
    issues: listOf(issueSchema),
  }),
} as const;

const choices = {
  grantableTools: listOf(text),
  events: listOf(text),
  triggerTypes: listOf(text),
};

const catalogSchema = {
  $id: 'Catalog',
  description: 'Choices for creating a trigger.',
  ...exactly({
    ...choices,
    tools: listOf(exactly({ name: text, group: text, description: text, dangerous: flag })),
  }),
} as const;

export const triggerListSchema = {
  $id: 'TriggerList',
  ...exactly({
    triggers: listOf(listedTriggerSchema),
    invalid: listOf(invalidEntrySchema),
    legacySchedules: listOf(listedScheduleSchema),
    ...choices,
    catalog: catalogSchema,
  }),
} as const;

/** The triggers of a project. */
export type TriggerList = FromSchema<typeof triggerListSchema>;

/** What lists show of a trigger or legacy schedule besides its definition. */
export type ShownFires = FieldsOf<
  typeof shownSchemas & typeof remarkSchemas,
  keyof typeof shownSchemas
>;
