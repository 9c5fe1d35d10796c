import { success } from '@svc/core';
import { defineOperation, type OperationRow } from './operation.ts';
import { projectAddress } from './shared-schemas.ts';
import { projectUsageSchema } from './usage.schema.ts';

export const readUsage: OperationRow<'read_usage'> = defineOperation({
  name: 'read_usage',
  summary:
    'Get turns, tokens and cost of a project by day and by trigger. A turn counts on the day it ended.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      days: {
        type: 'integer',
        minimum: 1,
        maximum: 366,
        default: 30,
        description: 'Number of days, including today.',
      },
    },
  },
  output: projectUsageSchema,
  tool: null,
  run: async ({ nouns, target }, { days = 30 }) => success(await nouns.usage.of(target.slug, days)),
});
