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
      description: 'Armed triggers that fire more than 48 times a day; their fires are left out.',
    },
  }),
};

export const previewSchema: JsonSchema = {
  $id: 'Preview',
  ...exactly({
    upcoming: listOf(time),
    description: { ...text, description: 'The schedule in words.' },
    firesPerDay,
    timezone: { ...textOrNull, description: 'Zone of a cron expression; null for an interval.' },
  }),
};

export const runPageSchema: JsonSchema = {
  $id: 'RunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Goes into `cursor` for the following page.' },
    removed: {
      ...exactly({
        count: { ...count, description: 'How many.' },
        until: { ...time, description: 'When the newest of them was claimed.' },
      }),
      type: ['object', 'null'],
      description: 'On the last page: older runs that retention has removed; null for none.',
    },
  }),
};

export const allRunPageSchema: JsonSchema = {
  $id: 'AllRunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: {
      ...textOrNull,
      description: 'Goes into `cursor` for the following page; also where this one is not full.',
    },
  }),
};

const eventRunSchema = exactly({
  id: text,
  trigger: text,
  state: { enum: RUN_STATES },
  outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it has ended.' },
});

const eventSchema: JsonSchema = {
  $id: 'LifecycleEvent',
  ...exactly({
    id: text,
    event: { enum: EVENTS },
    sessionId: { ...textOrNull, description: 'The chat that it is about.' },
    chat: { ...text, description: 'Name of that chat as it was then.' },
    by: { ...textOrNull, description: 'Who has archived it; null for the end of a turn.' },
    turnId: {
      ...textOrNull,
      description: 'The turn that has ended, or that has archived the chat; null where none did.',
    },
    createdAt: time,
    dispatchedAt: {
      ...timeOrNull,
      description: 'When it was decided which runs it starts; null while it waits.',
    },
    runs: {
      ...listOf(eventRunSchema),
      description: 'Empty where no trigger was waiting for it.',
    },
  }),
};

export const eventPageSchema: JsonSchema = {
  $id: 'LifecycleEventPage',
  ...exactly({
    events: { ...listOf(eventSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Goes into `cursor` for the following page.' },
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
      description: 'What project.yaml says of its keeper; null: the default of the service.',
      ...exactly({
        runtime: textOrNull,
        model: textOrNull,
        permissionMode: { enum: [...PERMISSION_MODES, null] },
      }),
    },
    triggerCount: count,
    faults: { ...listOf(issueSchema), description: 'What keeps project.yaml from being read.' },
  }),
};

const healthSchema: JsonSchema = {
  $id: 'ProjectHealth',
  description: 'How many triggers and legacy schedules need to be looked at.',
  ...exactly({
    total: { ...count, description: 'Entries of `triggers`, valid or not.' },
    needYou: {
      ...count,
      description:
        'Those of them that need attention, each once: invalid, paused, or enabled and failing, not armed, unready or limited.',
    },
    legacyNeedYou: { ...count, description: 'Legacy schedules of which the same is true.' },
    failing: {
      ...count,
      description:
        'Enabled, and the newest turn ended as a failure: missed and skipped slots hide nothing.',
    },
    invalid: { ...count, description: 'Entries that do not count; a broken file is one more.' },
    paused: count,
    unready: {
      ...count,
      description: 'Enabled, but as things stand each fire will fail: see `problem` of the entry.',
    },
    limited: {
      ...count,
      description: 'Enabled, and a daily limit keeps them from starting today.',
    },
    silent: {
      ...count,
      description:
        'Enabled, and silent for a while, as its clock was set back: see `clock` of its state.',
    },
    running: { ...count, description: 'With a turn that is running now.' },
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
      description:
        'Id of the server that looks after it; null where one has the database for itself.',
    },
  },
};

export const createdProjectSchema: JsonSchema = {
  ...projectSchema,
  $id: 'CreatedProject',
  properties: { ...(projectSchema['properties'] as object), warnings },
};
