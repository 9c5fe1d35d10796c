import type { FromSchema } from '@svc/schema';
import { conditionForm } from './condition-form.ts';
import { filledIn, schemasOf } from './field-row.ts';
import { policyFields, runFields, topFields } from './trigger-fields.schema.ts';

/** JSON Schema of when a trigger fires. */
export const triggerConditionSchema = {
  description: 'When it fires.',
  oneOf: [
    conditionForm('cron'),
    conditionForm('interval'),
    conditionForm('event'),
    conditionForm('webhook'),
  ],
} as const;

/** JSON Schema of what a fire runs. */
export const triggerRunSchema = {
  type: 'object',
  description: 'The prompt and chat of a run.',
  additionalProperties: false,
  required: filledIn(runFields),
  properties: schemasOf(runFields),
} as const;

/** JSON Schema of how fires that overlap or were missed are treated. */
export const triggerPolicySchema = {
  type: 'object',
  description: 'Treatment of overlapping runs and missed slots, and limits.',
  additionalProperties: false,
  properties: schemasOf(policyFields),
} as const;

const definition = {
  trigger: triggerConditionSchema,
  run: triggerRunSchema,
  ...schemasOf(topFields),
  policy: triggerPolicySchema,
} as const;

/** JSON Schema (draft 2020-12) of a trigger with its defaults filled in. */
export const triggerDefinitionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['trigger', 'run', ...filledIn(topFields)],
  properties: definition,
} as const;

/** JSON Schema (draft 2020-12) of a trigger in a response: its definition, with its name and agent label. */
export const triggerRecordSchema = {
  $id: 'Trigger',
  type: 'object',
  description: 'A trigger with its defaults filled in.',
  additionalProperties: false,
  required: ['name', 'agentName', ...triggerDefinitionSchema.required],
  properties: {
    name: { type: 'string', description: 'Key of the trigger in its project.' },
    agentName: { type: 'string', description: 'Label of the agent.' },
    ...definition,
  },
} as const;

/** When a trigger fires. */
export type TriggerCondition = FromSchema<typeof triggerConditionSchema>;
/** The prompt and chat of a run. */
export type TriggerRun = FromSchema<typeof triggerRunSchema>;
/** Treatment of overlapping runs and missed slots, and limits. */
export type TriggerPolicy = FromSchema<typeof triggerPolicySchema>;
/** A trigger with its defaults filled in: those of `TRIGGER_DEFAULTS.run`, and `enabled: false`. */
export type TriggerRecord = FromSchema<typeof triggerDefinitionSchema>;
/** A trigger in a response. */
export type NamedTrigger = FromSchema<typeof triggerRecordSchema>;
