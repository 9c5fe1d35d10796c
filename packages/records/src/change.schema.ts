import type { FromSchema } from '@svc/schema';
import { TRIGGER_TYPES } from './catalog.ts';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const time = { type: 'string', format: 'date-time' } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;

/** Kinds of changes of a trigger, of the file that defines it, and of the pause of all triggers. */
export const CHANGE_KINDS = [
  'defined',
  'changed',
  'enabled',
  'disabled',
  'removed',
  'invalid',
  'fixed',
  'unreadable',
  'readable',
  'unconfirmed',
  'confirmed',
  'armed',
  'disarmed',
  'not_armed',
  'paused',
  'resumed',
  'clock_set_back',
] as const;

/** One of them. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Kinds as version 0.1.0 wrote them, and what they are called now. A database and an older server still hold them. */
export const FORMER_CHANGE_KINDS = {
  switched_on: 'enabled',
  switched_off: 'disabled',
  mended: 'fixed',
} as const satisfies Readonly<Record<string, ChangeKind>>;

/** Where a change came from; `cli`: the command line; `file`: an edit of `project.yaml` itself. */
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

/** JSON Schema of the part of a definition that determines its scheduled times. */
const standingSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['enabled', 'type', 'cron', 'timezone', 'interval', 'on', 'catchUp', 'delayMs'],
  properties: {
    enabled: { type: 'boolean' },
    type: { enum: TRIGGER_TYPES },
    cron: textOrNull,
    timezone: { ...textOrNull, description: 'null: the service time zone.' },
    interval: textOrNull,
    on: textOrNull,
    catchUp: { enum: ['none', 'latest'] },
    delayMs: { type: 'integer', minimum: 0, description: 'Delay of starts.' },
  },
} as const;

/** JSON Schema of one change of a trigger: what changed, when, and who changed it from where. */
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
    at: { ...time, description: 'Time from which it was effective.' },
    project: { ...textOrNull, description: 'null for a change to all triggers.' },
    source: { enum: ['trigger', 'schedule', null], description: 'null for the whole file.' },
    trigger: { ...textOrNull, description: 'Name; null for the whole file and for all triggers.' },
    kind: { enum: CHANGE_KINDS },
    by: {
      ...textOrNull,
      description:
        'Name of a person, `user` if the sign-in mode does not identify people, `client:<id>`, or the label of an agent; null if unknown.',
    },
    person: {
      ...textOrNull,
      description: 'Name of the person, in sign-in modes that identify people; otherwise null.',
    },
    via: { enum: CHANGE_WAYS },
    sessionId: { ...textOrNull, description: 'Chat of the agent that made the change.' },
    writtenAt: {
      ...timeOrNull,
      description: 'When `project.yaml` was written, if it is not known who changed it.',
    },
    reason: { ...textOrNull, description: 'Reason, in a sentence.' },
    fields: { type: 'array', items: changedFieldSchema },
    standing: {
      ...standingSchema,
      description: 'The definition from then on; null if there is none.',
    },
    anchor: { ...timeOrNull, description: 'Anchor of the interval, once armed.' },
  },
} as const;

/** One change; times are UTC ISO text. */
export type Change = FromSchema<typeof changeSchema>;

/** One field that has changed. */
export type ChangedField = FromSchema<typeof changedFieldSchema>;

/** The part of a definition that determines its scheduled times. */
export type Standing = NonNullable<Change['standing']>;
