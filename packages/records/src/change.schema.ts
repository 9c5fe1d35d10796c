import type { FromSchema } from '@svc/schema';
import { TRIGGER_TYPES } from './catalog.ts';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const time = { type: 'string', format: 'date-time' } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;

/** What can become of a trigger, of the file that it stands in, and of everything that starts by itself. */
export const CHANGE_KINDS = [
  'defined',
  'changed',
  'switched_on',
  'switched_off',
  'removed',
  'invalid',
  'mended',
  'unreadable',
  'readable',
  'armed',
  'disarmed',
  'not_armed',
  'paused',
  'resumed',
  'clock_set_back',
] as const;

/** One of them. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** From where a change came; `cli`: the command line; `file`: somebody or something wrote `project.yaml` itself. */
export const CHANGE_WAYS = ['page', 'cli', 'rest', 'client', 'agent', 'file', 'service'] as const;

/** One of them. */
export type ChangeWay = (typeof CHANGE_WAYS)[number];

/** JSON Schema of one field that has changed. */
const changedFieldSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['field', 'from', 'to'],
  properties: {
    field: { ...text, description: 'Its path, e.g. trigger.cron.' },
    from: { ...textOrNull, description: 'A prompt as its length and a short hash. null: absent.' },
    to: textOrNull,
  },
} as const;

/** JSON Schema of what of a definition decides about instants. */
const standingSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['enabled', 'type', 'cron', 'timezone', 'interval', 'on', 'catchUp', 'delayMs'],
  properties: {
    enabled: { type: 'boolean' },
    type: { enum: TRIGGER_TYPES },
    cron: textOrNull,
    timezone: { ...textOrNull, description: 'null: that of the host.' },
    interval: textOrNull,
    on: textOrNull,
    catchUp: { enum: ['none', 'latest'] },
    delayMs: { type: 'integer', minimum: 0, description: 'By how much starts are put off.' },
  },
} as const;

/** JSON Schema of one change: who did what to a trigger, when and from where. */
export const changeSchema = {
  $id: 'TriggerChange',
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'at',
    'project',
    'source',
    'trigger',
    'kind',
    'by',
    'person',
    'via',
    'sessionId',
    'writtenAt',
    'reason',
    'fields',
    'standing',
    'anchor',
  ],
  properties: {
    id: { ...text, description: 'UUID of the change.' },
    at: { ...time, description: 'From when it was in force.' },
    project: { ...textOrNull, description: 'null for everything.' },
    source: { enum: ['trigger', 'schedule', null], description: 'null for the whole file.' },
    trigger: { ...textOrNull, description: 'Name; null for the whole file and for everything.' },
    kind: { enum: CHANGE_KINDS },
    by: {
      ...textOrNull,
      description:
        'A person by name, `user` where people are not told apart, `client:<id>`, the label of an agent; null where nobody is known.',
    },
    person: {
      ...textOrNull,
      description:
        'Name of the person, with the sign-in modes that tell people apart; null otherwise.',
    },
    via: { enum: CHANGE_WAYS },
    sessionId: { ...textOrNull, description: 'Chat of the agent that did it.' },
    writtenAt: {
      ...timeOrNull,
      description: 'When `project.yaml` was written, where nobody is known to have changed it.',
    },
    reason: { ...textOrNull, description: 'Why, in a sentence.' },
    fields: { type: 'array', items: changedFieldSchema },
    standing: {
      ...standingSchema,
      description: 'What holds from then on; null where nothing does.',
    },
    anchor: { ...timeOrNull, description: 'Where the grid of an interval begins, once armed.' },
  },
} as const;

/** One change; times are UTC ISO text. */
export type Change = FromSchema<typeof changeSchema>;

/** One field that has changed. */
export type ChangedField = FromSchema<typeof changedFieldSchema>;

/** What of a definition decides about instants. */
export type Standing = NonNullable<Change['standing']>;
