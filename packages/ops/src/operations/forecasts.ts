import { success } from '@svc/core';
import { defineOperation, type OperationRow } from './operation.ts';
import { previewSchema, upcomingSchema } from './project-answers.schema.ts';
import { projectAddress } from './shared-schemas.ts';

export const listUpcoming: OperationRow<'list_upcoming'> = defineOperation({
  name: 'list_upcoming',
  summary:
    'Upcoming fires, earliest first. Triggers that fire more than 48 times a day are only counted.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      hours: { type: 'integer', minimum: 1, maximum: 168, default: 24 },
    },
  },
  output: upcomingSchema,
  tool: null,
  run: async ({ nouns, target }, { hours = 24 }) =>
    success(await nouns.triggers.upcoming(target, hours)),
});

export const previewSchedule: OperationRow<'preview_schedule'> = defineOperation({
  name: 'preview_schedule',
  summary: 'Preview the fires of a schedule. Give exactly one of cron and interval.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      cron: {
        type: 'string',
        minLength: 1,
        description: 'Cron expression of five fields, or a macro.',
      },
      interval: { type: 'string', minLength: 1, description: 'Duration such as 30m.' },
      timezone: { type: 'string', minLength: 1, description: 'IANA name, for cron only.' },
      count: { type: 'integer', minimum: 1, maximum: 100, default: 5 },
    },
  },
  output: previewSchema,
  tool: null,
  run: async ({ nouns }, input) => nouns.triggers.preview(input),
});
