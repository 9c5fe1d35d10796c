import { type Field, mapFields, sentSchema, standIn } from './field-row.ts';
import { conditionFields, policyFields, runFields, topFields } from './trigger-fields.schema.ts';

/**
 * JSON Schema (draft 2020-12) of a trigger in a request, for documentation. `validateTrigger` does the validation,
 * because its messages are sentences. `null` is the same as absent; read-only fields of a response are ignored.
 */
export const triggerPutSchema = {
  $id: 'TriggerPut',
  type: 'object',
  description: 'A complete trigger; read-only fields of a response are ignored.',
  required: ['trigger'],
  properties: {
    trigger: {
      type: 'object',
      description: 'When it fires. A schedule has exactly one of `cron` and `interval`.',
      required: ['type'],
      properties: mapFields(conditionFields, sentField),
    },
    run: {
      type: ['object', 'null'],
      description: 'Its prompt: exactly one of `prompt` and `promptFile`.',
      properties: mapFields(runFields, sentField),
    },
    ...mapFields(topFields, sentField),
    policy: { type: ['object', 'null'], properties: mapFields(policyFields, sentField) },
  },
} as const;

function sentField(field: Field): object {
  const schema = sentSchema(field);
  const value = standIn(field);
  const filled = value === undefined ? {} : { default: value };
  if (field.required) return { ...schema, ...filled };
  if (schema.enum !== undefined) return { ...schema, enum: [...schema.enum, null], ...filled };
  return { ...schema, type: [schema.type, 'null'], ...filled };
}
