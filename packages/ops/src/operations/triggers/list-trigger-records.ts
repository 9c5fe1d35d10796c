import { success } from '@svc/core';
import { BUILT_IN_TOOLS, RUN_OUTCOMES, RUN_STATES, runSchema } from '@svc/records';
import { legacyScheduleSchema, triggerRecordSchema } from '@svc/trigger-schema';
import { CHOICES } from '../../queries/trigger-list.ts';
import {
  count,
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
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ofProject } from '../shared-schemas.ts';
import { amounts } from '../usage.schema.ts';

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

const runUsageSchema = {
  $id: 'RunUsage',
  description: 'Usage of a trigger.',
  ...exactly({ runs: { ...count, description: 'Number of turns started.' }, ...amounts }),
} as const;

/** Usage of a trigger today and this month, in the time zone of the host. */
const triggerUsageSchema = {
  $id: 'TriggerUsage',
  ...exactly({ today: runUsageSchema, month: runUsageSchema }),
} as const;

const shownFires = {
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
const remarks = { problem, warnings, unheld } as const;

const listedTriggerSchema = {
  ...extended(
    triggerRecordSchema,
    {
      ...shownFires,
      etag: { ...text, description: 'Entity tag of the trigger, for `If-Match`.' },
    },
    remarks,
  ),
  $id: 'ListedTrigger',
} as const;

const listedScheduleSchema = {
  $id: 'LegacySchedule',
  description: 'An entry of the legacy schedules map; read-only here.',
  oneOf: legacyScheduleSchema.oneOf.map((kind) =>
    extended(kind, { name: text, ...shownFires }, remarks),
  ),
};

const invalidEntrySchema = {
  $id: 'InvalidEntry',
  description: 'An invalid entry or file, and why it is ignored.',
  ...exactly({
    name: text,
    source: { enum: ['trigger', 'schedule', 'file'] },
    kind: {
      enum: ['invalid', 'unreadable'],
      description:
        '`unreadable`: project.yaml cannot be read; its last valid version stays in effect, and it cannot be changed until it is fixed.',
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

const triggerListSchema = {
  $id: 'TriggerList',
  ...exactly({
    triggers: listOf(listedTriggerSchema),
    invalid: listOf(invalidEntrySchema),
    legacySchedules: listOf(listedScheduleSchema),
    ...choices,
    catalog: catalogSchema,
  }),
} as const;

export const listTriggerRecords = defineOperation({
  name: 'list_trigger_records',
  summary: 'List the triggers of a project, and the choices for creating one.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: triggerListSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers',
    id: 'list_triggers',
    tag: 'triggers',
    status: 200,
    example: {
      response: {
        triggers: [
          {
            ...sample.record,
            lastRun: sample.run,
            recentRuns: [
              {
                id: sample.RUN_ID,
                state: 'ended',
                outcome: 'succeeded',
                reason: null,
                at: sample.SLOT,
              },
            ],
            upcoming: [sample.NEXT],
            usage: { today: sample.used, month: { ...sample.used, runs: 22 } },
            runtimeInForce: 'native',
            schedule: {
              description: 'At 03:00 every day',
              timezone: 'Europe/Berlin',
              firesPerDay: 1,
            },
            etag: '"m1l5bVxXJq8Qn2rUe0Kz4w"',
          },
        ],
        invalid: [],
        legacySchedules: [],
        ...CHOICES,
        catalog: { ...CHOICES, tools: BUILT_IN_TOOLS },
      },
    },
  },
  tool: null,
  run: async ({ services, target, tools }) =>
    success({ ...(await services.listTriggers(target)), catalog: { ...CHOICES, tools } }),
});
