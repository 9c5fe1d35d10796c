import { RUN_OUTCOMES, RUN_STATES, runSchema, TRIGGER_TYPES } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { legacyScheduleSchema, triggerRecordSchema } from '@svc/trigger-schema';
import { ATTENTION_KINDS } from '../nouns/attention.ts';
import { DAILY_LIMITS } from '../nouns/spent-limit.ts';
import {
  count,
  exactly,
  firesPerDay,
  flag,
  id,
  issueSchema,
  listOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  warnings,
} from './common.schema.ts';
import { triggerUsageSchema } from './usage.schema.ts';

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: JsonSchema;
}

function withFields(
  schema: ObjectSchema,
  fields: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    ...schema,
    required: [...schema.required, ...Object.keys(fields)],
    properties: { ...schema.properties, ...fields },
  };
}

const recentRunSchema: JsonSchema = {
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
};

const scheduleFactsSchema: JsonSchema = {
  $id: 'ScheduleFacts',
  ...exactly({
    description: { ...text, description: 'The schedule in words.' },
    timezone: {
      ...textOrNull,
      description: 'Time zone of the cron expression; null for an interval.',
    },
    firesPerDay,
  }),
};

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
  upcoming: { ...listOf(time), maxItems: 5, description: 'Next fires, if armed.' },
};

/** A trigger as it is answered alone. */
export const triggerSchema: JsonSchema = {
  ...triggerRecordSchema,
  $id: 'TriggerAnswer',
  properties: { ...triggerRecordSchema.properties, warnings },
};

const problem: JsonSchema = {
  ...text,
  description:
    'Why every fire would currently fail, in one sentence: unusable prompt file, no model for its prompt, runtime not ready, or limits that the runtime cannot enforce. Absent if there is no problem, or if disabled.',
};

const unheld: JsonSchema = {
  ...listOf(issueSchema),
  description:
    'Limits that its runtime cannot enforce, which prevent it from firing; absent if none.',
};

/** Adds the fields that are there only when they have something to say. */
function withRemarks(schema: { readonly properties: object }): JsonSchema {
  return { ...schema, properties: { ...schema.properties, problem, warnings, unheld } };
}

const listedTrigger = withFields(triggerRecordSchema, {
  ...shownFires,
  etag: { ...text, description: 'Entity tag of the trigger, for `If-Match`.' },
}) as { properties: object };

const listedTriggerSchema: JsonSchema = { ...withRemarks(listedTrigger), $id: 'ListedTrigger' };

const listedScheduleSchema: JsonSchema = {
  $id: 'LegacySchedule',
  description: 'An entry of the legacy schedules map; read-only here.',
  oneOf: legacyScheduleSchema.oneOf.map((kind) =>
    withRemarks(withFields(kind, { name: text, ...shownFires }) as { properties: object }),
  ),
};

const invalidEntrySchema: JsonSchema = {
  $id: 'InvalidEntry',
  description: 'An invalid entry or file, and why it is ignored.',
  ...exactly({
    name: text,
    source: { enum: ['trigger', 'schedule', 'file'] },
    issues: listOf(issueSchema),
  }),
};

const choices = {
  grantableTools: listOf(text),
  events: listOf(text),
  triggerTypes: listOf(text),
};

const catalogSchema: JsonSchema = {
  $id: 'Catalog',
  description: 'Choices for creating a trigger.',
  ...exactly({
    ...choices,
    tools: listOf(exactly({ name: text, group: text, description: text, dangerous: flag })),
  }),
};

export const triggerListSchema: JsonSchema = {
  $id: 'TriggerList',
  ...exactly({
    triggers: listOf(listedTriggerSchema),
    invalid: listOf(invalidEntrySchema),
    legacySchedules: listOf(listedScheduleSchema),
    ...choices,
    catalog: catalogSchema,
  }),
};

export const clockStateSchema: JsonSchema = {
  ...exactly({
    aheadUntil: { ...time, description: 'The last decided slot.' },
    silentUntil: {
      ...timeOrNull,
      description:
        'When it fires again, if its next slots have already run; null if it fires at its next slot.',
    },
    canGoOn: { ...flag, description: 'Whether resume_trigger makes it fire sooner.' },
    message: text,
  }),
  description: 'Present if the clock was set back and slots in the future were already decided.',
};

/** Why an entry needs attention, and how to name it. */
export const attentionFields: Readonly<Record<string, JsonSchema>> = {
  kind: { enum: ATTENTION_KINDS, description: 'This list may grow.' },
  reason: { ...text, description: 'One or two sentences.' },
};

export const attentionSchema: JsonSchema = {
  ...listOf(exactly(attentionFields)),
  description: 'Why it needs attention, most urgent first; absent if it does not.',
};

export const zoneDataStateSchema: JsonSchema = {
  ...exactly({
    zone: text,
    from: { ...time, description: 'When the two offsets start to differ.' },
    offset: { ...text, description: 'Offset in Node, which is used to fire, e.g. +02:00.' },
    hostOffset: text,
    message: text,
  }),
  description: 'Present if Node and the host have different data for its time zone.',
};

export const runtimeSchema: JsonSchema = {
  $id: 'TriggerRuntime',
  ...exactly({
    runtime: listOf(
      exactly(
        {
          name: text,
          source: { enum: ['trigger', 'schedule'] },
          type: { enum: TRIGGER_TYPES },
          armed: flag,
          nextFire: timeOrNull,
          timezone: textOrNull,
          running: flag,
          paused: {
            ...flag,
            description: 'Whether it is paused, with all triggers or after failures.',
          },
        },
        {
          startDelayMs: {
            ...count,
            description: 'Delay of each start in milliseconds, set by policy.jitter.',
          },
          reason: {
            ...text,
            description: 'Why it is not armed, is paused, or cannot work although armed.',
          },
          pausedAfterFailures: {
            ...exactly({ at: time, reason: text }),
            description: 'Its own pause, since when and why; absent if none.',
          },
          attention: attentionSchema,
          limited: {
            ...exactly({
              limit: { enum: DAILY_LIMITS, description: 'This list may grow.' },
              until: { ...time, description: 'End of the day in the time zone of the host.' },
            }),
            description:
              'Present if a daily limit prevents further starts today; `nextFire` is then the first slot after that.',
          },
          clock: clockStateSchema,
          zoneData: zoneDataStateSchema,
        },
      ),
    ),
  }),
};

export const removedTriggerSchema: JsonSchema = {
  $id: 'RemovedTrigger',
  ...exactly({
    ok: { const: true },
    name: text,
    removed: { ...flag, description: 'false if there was none.' },
  }),
};

export const firedTriggerSchema: JsonSchema = {
  $id: 'FiredTrigger',
  ...exactly(
    { ok: { const: true }, name: text, sessionId: id, runId: id },
    {
      notice: {
        ...text,
        description: 'Present if the trigger is paused: why.',
      },
    },
  ),
};

const editSchema: JsonSchema = {
  $id: 'ForeseenEdit',
  ...exactly({
    before: { ...text, description: 'The current project.yaml.' },
    after: { ...text, description: 'project.yaml as a PUT would write it.' },
    etag: {
      ...textOrNull,
      description: 'Entity tag of the stored trigger, for `If-Match`; null if there is none.',
    },
  }),
};

export const verdictSchema: JsonSchema = {
  $id: 'Verdict',
  ...exactly(
    { valid: flag, issues: listOf(issueSchema), warnings: listOf(issueSchema) },
    {
      edit: {
        anyOf: [editSchema, { type: 'null' }],
        description:
          'Present with `name`: the change of project.yaml; null if the trigger cannot be stored.',
      },
    },
  ),
};
