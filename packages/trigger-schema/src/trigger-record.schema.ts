import { EVENTS, PERMISSION_MODES } from '@svc/records';
import type { FromSchema } from '@svc/schema';

const zone = { type: 'string', description: 'IANA time zone of a cron expression.' } as const;
const cron = {
  type: 'string',
  description: 'Cron expression of five fields, or `@daily` or `@hourly`.',
} as const;
const interval = {
  type: 'string',
  description: 'Duration such as `30m`, `1h` or `1 day`.',
} as const;
const duration = { type: 'string', description: 'Duration such as `10m`.' } as const;

/** JSON Schema of when a trigger fires. */
export const triggerConditionSchema = {
  description: 'When it fires.',
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'cron'],
      properties: { type: { const: 'schedule' }, cron, timezone: zone },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'interval'],
      properties: { type: { const: 'schedule' }, interval },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'on'],
      properties: { type: { const: 'event' }, on: { enum: EVENTS } },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      properties: { type: { const: 'webhook' } },
    },
  ],
} as const;

/** JSON Schema of what a fire runs. */
export const triggerRunSchema = {
  type: 'object',
  description: 'What a fire runs.',
  additionalProperties: false,
  required: ['session', 'tools', 'maxTurns'],
  properties: {
    prompt: { type: 'string', description: 'Instruction of the fired agent.' },
    promptFile: { type: 'string', description: 'Markdown file that is read at each fire.' },
    session: { enum: ['new', 'resume'], description: 'A fresh chat each time, or one owned chat.' },
    tools: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 200,
      description:
        'Tools of the fired agent. Empty: the keeper on a schedule, no tools on an event.',
    },
    model: { type: 'string', minLength: 1, maxLength: 200, description: 'Model of the turns.' },
    permissionMode: { enum: PERMISSION_MODES },
    maxTurns: { type: 'integer', minimum: 1, description: 'Most agent turns in one fire.' },
    maxSpawnDepth: {
      type: 'integer',
      minimum: 0,
      description: 'How deep fired turns may start others; 0 = not at all.',
    },
    timeout: { ...duration, description: 'Longest time of one fire, from 1s to 7d.' },
    runtime: { type: 'string', description: 'Runtime of the turns.' },
  },
} as const;

/** JSON Schema of how fires that overlap or were missed are treated. */
export const triggerPolicySchema = {
  type: 'object',
  description: 'How fires that overlap or were missed are treated.',
  additionalProperties: false,
  properties: {
    overlap: { enum: ['skip'], description: 'A fire while the last one runs is skipped.' },
    catchUp: {
      enum: ['none', 'latest'],
      description: 'Whether the newest missed slot is made up for.',
    },
    catchUpWindow: { ...duration, description: 'How old a missed slot may be to be made up for.' },
  },
} as const;

const definition = {
  trigger: triggerConditionSchema,
  run: triggerRunSchema,
  enabled: { type: 'boolean', description: 'Whether it is armed.' },
  policy: triggerPolicySchema,
} as const;

/** JSON Schema (draft 2020-12) of a trigger with its defaults filled in. */
export const triggerDefinitionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['trigger', 'run', 'enabled'],
  properties: definition,
} as const;

/** JSON Schema (draft 2020-12) of a trigger as it is answered: its definition, with its name and agent label. */
export const triggerRecordSchema = {
  $id: 'Trigger',
  type: 'object',
  description: 'A trigger with its defaults filled in.',
  additionalProperties: false,
  required: ['name', 'agentName', 'trigger', 'run', 'enabled'],
  properties: {
    name: { type: 'string', description: 'Key of the trigger in its project.' },
    agentName: { type: 'string', description: 'Label of the fired agent.' },
    ...definition,
  },
} as const;

/** When a trigger fires. */
export type TriggerCondition = FromSchema<typeof triggerConditionSchema>;
/** What a fire runs. */
export type TriggerRun = FromSchema<typeof triggerRunSchema>;
/** How fires that overlap or were missed are treated. */
export type TriggerPolicy = FromSchema<typeof triggerPolicySchema>;
/** A trigger with its defaults filled in: `session: new`, `tools: []`, `maxTurns: 30`, `enabled: false`. */
export type TriggerRecord = FromSchema<typeof triggerDefinitionSchema>;
/** A trigger as it is answered. */
export type NamedTrigger = FromSchema<typeof triggerRecordSchema>;
