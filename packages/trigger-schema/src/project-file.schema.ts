import { type Field, mapFields } from './field-row.ts';
import { projectSettingsSchema } from './project-settings.schema.ts';
import { policyFields, runFields, topFields } from './trigger-fields.schema.ts';
import {
  triggerConditionSchema,
  triggerPolicySchema,
  triggerRunSchema,
} from './trigger-record.schema.ts';

const own = { '^x-': {} } as const;

const promptForms = [{ required: ['prompt'] }, { required: ['promptFile'] }] as const;

function editorField({ schema, default: filled, editor }: Field): object {
  return { ...schema, ...(filled === undefined ? {} : { default: filled }), ...editor };
}

const entry = {
  type: 'object',
  description: 'A trigger: when it fires, what it runs, and whether it is armed.',
  required: ['trigger'],
  additionalProperties: false,
  patternProperties: own,
  properties: {
    trigger: triggerConditionSchema,
    run: {
      type: 'object',
      description: triggerRunSchema.description,
      oneOf: promptForms,
      additionalProperties: false,
      patternProperties: own,
      properties: mapFields(runFields, editorField),
    },
    ...mapFields(topFields, editorField),
    policy: { ...triggerPolicySchema, properties: mapFields(policyFields, editorField) },
  },
};

const schedule = {
  type: 'object',
  description: 'A simple timer of the older form; it runs as the keeper.',
  required: ['type'],
  additionalProperties: false,
  patternProperties: own,
  oneOf: promptForms,
  properties: {
    type: { enum: ['cron', 'interval'] },
    cron: { type: 'string', description: 'Cron expression of five fields.' },
    interval: { type: 'string', description: 'Duration such as 30m.' },
    prompt: { type: 'string' },
    promptFile: { type: 'string', description: 'Markdown file in .svc/schedules/.' },
    resume_session: { type: 'boolean', default: false },
    enabled: { type: 'boolean', default: true },
  },
};

/**
 * JSON Schema (draft 7, which editors support best) of a whole `project.yaml` as written. It is for completion and
 * hints in editors; `parseProject` does the validation.
 */
export const projectFileSchema: Readonly<Record<string, unknown>> = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'svc project.yaml',
  type: 'object',
  additionalProperties: false,
  patternProperties: own,
  properties: {
    ...projectSettingsSchema.properties,
    triggers: {
      type: ['object', 'null'],
      description: 'Triggers by name.',
      additionalProperties: entry,
    },
    schedules: {
      type: ['object', 'null'],
      description: 'Timers of the older form by name; new work uses triggers.',
      additionalProperties: schedule,
    },
  },
};
