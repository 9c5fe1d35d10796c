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
    outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it has ended.' },
    reason: {
      ...textOrNull,
      description:
        'Why it did not succeed, its first 300 characters; null where it did, or goes on.',
    },
    at: { ...time, description: 'When it was due; without a slot, when it was claimed.' },
  }),
};

const scheduleFactsSchema: JsonSchema = {
  $id: 'ScheduleFacts',
  ...exactly({
    description: { ...text, description: 'The schedule in words.' },
    timezone: { ...textOrNull, description: 'Zone of a cron expression; null for an interval.' },
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
    description: 'null for what has no schedule.',
  },
  usage: triggerUsageSchema,
  runtimeInForce: {
    ...text,
    description: "Which it takes: its own, else its project's, else the default.",
  },
  upcoming: { ...listOf(time), maxItems: 5, description: 'The next fires while it is armed.' },
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
    'Why each fire will fail as things stand, in a sentence: its prompt file cannot be used, no model acts on its prompt, its runtime is not ready or cannot hold its limits. Absent where nothing is in the way, and while it is off.',
};

const unheld: JsonSchema = {
  ...listOf(issueSchema),
  description:
    'What of its limits its runtime cannot hold, so that it does not fire; absent where there is nothing.',
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
  description: 'An entry, or the whole file, that does not count, and why.',
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
  description: 'What there is to choose from when a trigger is made.',
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
    aheadUntil: { ...time, description: 'The last slot that had been decided.' },
    silentUntil: {
      ...timeOrNull,
      description:
        'When it goes on, while its next slots have all run already; null where it goes on with its next slot.',
    },
    canGoOn: { ...flag, description: 'Whether resume_trigger ends that silence.' },
    message: text,
  }),
  description:
    'Slots that its clock has yet to reach were decided before that was set back; absent where there are none.',
};

/** Why an entry needs attention, and how to name it. */
export const attentionFields: Readonly<Record<string, JsonSchema>> = {
  kind: { enum: ATTENTION_KINDS, description: 'This list may grow.' },
  reason: { ...text, description: 'One sentence or two.' },
};

export const attentionSchema: JsonSchema = {
  ...listOf(exactly(attentionFields)),
  description:
    'Why it needs the attention of a person, the most urgent first; absent where it does not.',
};

export const zoneDataStateSchema: JsonSchema = {
  ...exactly({
    zone: text,
    from: { ...time, description: 'From when on the two offsets differ.' },
    offset: { ...text, description: 'That of Node, by which it fires, e.g. +02:00.' },
    hostOffset: text,
    message: text,
  }),
  description: 'Its zone is known otherwise to the host; absent where nothing differs.',
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
            description:
              'Whether it is kept from firing by itself, with everything or after failures.',
          },
        },
        {
          startDelayMs: {
            ...count,
            description:
              'How long after its instant each slot is started, in milliseconds, where policy.jitter puts it off.',
          },
          reason: {
            ...text,
            description:
              'Why it is not armed or is paused, or what keeps it from working although it is armed, in words.',
          },
          pausedAfterFailures: {
            ...exactly({ at: time, reason: text }),
            description: 'Its own pause, since when and why; absent where it has none.',
          },
          attention: attentionSchema,
          limited: {
            ...exactly({
              limit: { enum: DAILY_LIMITS, description: 'This list may grow.' },
              until: { ...time, description: 'When the day of the host is over.' },
            }),
            description:
              'A daily limit keeps it from starting today: `nextFire` is its first slot after that. Absent where none does.',
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
    removed: { ...flag, description: 'false where there was none.' },
  }),
};

export const firedTriggerSchema: JsonSchema = {
  $id: 'FiredTrigger',
  ...exactly(
    { ok: { const: true }, name: text, sessionId: id, runId: id },
    {
      notice: {
        ...text,
        description:
          'That the trigger does not start by itself now, and why; absent where it does.',
      },
    },
  ),
};

const editSchema: JsonSchema = {
  $id: 'ForeseenEdit',
  ...exactly({
    before: { ...text, description: 'All of project.yaml as it is now.' },
    after: { ...text, description: 'The same as a PUT would write it.' },
    etag: {
      ...textOrNull,
      description:
        'Entity tag of the trigger that is stored now, for `If-Match`; null without one.',
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
          'There with `name`: the change of project.yaml; null where the trigger could not be stored.',
      },
    },
  ),
};
