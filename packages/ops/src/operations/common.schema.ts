import type { JsonSchema } from '@svc/schema';

/** An object with exactly these fields, all required except the optional ones. */
export function exactly(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const timeOrNull: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const firesPerDay: JsonSchema = { type: 'number', minimum: 0, description: 'Average.' };
export const id: JsonSchema = { type: 'string', format: 'uuid' };

export const issueSchema: JsonSchema = {
  $id: 'Issue',
  description: 'One error in an input: where it is and how to fix it.',
  ...exactly(
    {
      path: { ...text, description: 'Dotted path of the field; empty for the whole input.' },
      message: text,
    },
    { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
  ),
};

export const warnings: JsonSchema = {
  ...listOf(issueSchema),
  description: 'Warnings about accepted input; absent if there are none.',
};
