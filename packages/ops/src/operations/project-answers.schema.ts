import { EVENTS, PERMISSION_MODES, RUN_OUTCOMES, RUN_STATES, runSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import {
  count,
  exactly,
  firesPerDay,
  issueSchema,
  listOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  warnings,
} from './common.schema.ts';

export const upcomingSchema: JsonSchema = {
  $id: 'UpcomingFires',
  ...exactly({
    fires: { ...listOf(exactly({ trigger: text, at: time })), maxItems: 1000 },
    frequent: {
      ...listOf(exactly({ trigger: text, firesPerDay })),
      description: 'Armed triggers that fire more than 48 times a day; their fires are not listed.',
    },
  }),
};

export const previewSchema: JsonSchema = {
  $id: 'Preview',
  ...exactly({
    upcoming: listOf(time),
    description: { ...text, description: 'The schedule in words.' },
    firesPerDay,
    timezone: {
      ...textOrNull,
      description: 'Time zone of the cron expression; null for an interval.',
    },
  }),
};

export const runPageSchema: JsonSchema = {
  $id: 'RunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Pass as `cursor` to get the next page.' },
    removed: {
      ...exactly({
        count: { ...count, description: 'Number of runs.' },
        until: { ...time, description: 'Claim time of the newest of them.' },
      }),
      type: ['object', 'null'],
      description: 'On the last page: older runs removed by retention; null if none.',
    },
  }),
};

export const allRunPageSchema: JsonSchema = {
  $id: 'AllRunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: {
      ...textOrNull,
      description: 'Pass as `cursor` to get the next page, even if this one is not full.',
    },
  }),
};

const eventRunSchema = exactly({
  id: text,
  trigger: text,
  state: { enum: RUN_STATES },
  outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it ends.' },
});

const eventSchema: JsonSchema = {
  $id: 'LifecycleEvent',
  ...exactly({
    id: text,
    event: { enum: EVENTS },
    sessionId: { ...textOrNull, description: 'The chat of the event.' },
    chat: { ...text, description: 'Name of the chat at that time.' },
    by: { ...textOrNull, description: 'Who archived it; null for the end of a turn.' },
    turnId: {
      ...textOrNull,
      description: 'The turn that ended or archived the chat; null if none.',
    },
    createdAt: time,
    dispatchedAt: {
      ...timeOrNull,
      description: 'When its runs were determined; null while pending.',
    },
    runs: {
      ...listOf(eventRunSchema),
      description: 'Empty if no trigger listened for it.',
    },
  }),
};

export const eventPageSchema: JsonSchema = {
  $id: 'LifecycleEventPage',
  ...exactly({
    events: { ...listOf(eventSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Pass as `cursor` to get the next page.' },
  }),
};

export const projectSchema: JsonSchema = {
  $id: 'Project',
  ...exactly({
    slug: text,
    name: text,
    summary: textOrNull,
    area: textOrNull,
    status: textOrNull,
    repo: textOrNull,
    keeper: {
      description: 'The keeper settings of project.yaml; null means the default of the service.',
      ...exactly({
        runtime: textOrNull,
        model: textOrNull,
        permissionMode: { enum: [...PERMISSION_MODES, null] },
      }),
    },
    triggerCount: count,
    faults: { ...listOf(issueSchema), description: 'Why project.yaml cannot be read.' },
  }),
};

const healthSchema: JsonSchema = {
  $id: 'ProjectHealth',
  description: 'Number of triggers and legacy schedules that need attention.',
  ...exactly({
    total: { ...count, description: 'Entries of `triggers`, valid or not.' },
    needYou: {
      ...count,
      description:
        'Triggers that need attention, each counted once: invalid, paused, or enabled and failing, not armed, unready or limited.',
    },
    legacyNeedYou: { ...count, description: 'Legacy schedules that need attention.' },
    failing: {
      ...count,
      description: 'Enabled, and the newest turn failed. Missed and skipped slots are ignored.',
    },
    invalid: { ...count, description: 'Invalid entries, plus one for a file that cannot be read.' },
    paused: count,
    unready: {
      ...count,
      description: 'Enabled, but every fire would currently fail: see `problem` of the entry.',
    },
    limited: {
      ...count,
      description: 'Enabled, but stopped for today by a daily limit.',
    },
    silent: {
      ...count,
      description: 'Enabled, but waiting because the clock was set back: see `clock` of the state.',
    },
    running: { ...count, description: 'With a running turn.' },
    missed24h: { ...count, description: 'Enabled, and a slot was missed in the last 24 hours.' },
    armed: count,
    nextFire: timeOrNull,
  }),
};

export const projectWithHealthSchema: JsonSchema = {
  ...projectSchema,
  $id: 'ProjectWithHealth',
  required: [...(projectSchema['required'] as string[]), 'health', 'node'],
  properties: {
    ...(projectSchema['properties'] as object),
    health: healthSchema,
    node: {
      ...textOrNull,
      description: 'Id of the server that owns it; null on a single server.',
    },
  },
};

export const createdProjectSchema: JsonSchema = {
  ...projectSchema,
  $id: 'CreatedProject',
  properties: { ...(projectSchema['properties'] as object), warnings },
};
