import { exactly, firesPerDay, listOf, text, textOrNull, time } from '../../common.schema.ts';
import { preview } from '../../queries/preview.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';

const previewSchema = {
  $id: 'Preview',
  ...exactly({
    upcoming: listOf(time),
    description: { ...text, description: 'The schedule in words.' },
    firesPerDay,
    timezone: {
      ...textOrNull,
      description: 'Time zone of the cron expression; null for an interval.',
    },
  }),
} as const;

export const previewSchedule = defineOperation({
  name: 'preview_schedule',
  summary: 'Preview the times of a schedule. Give exactly one of cron and interval.',
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
  http: {
    method: 'get',
    path: '/preview',
    tag: 'triggers',
    status: 200,
    query: { cron: 'cron', interval: 'interval', timezone: 'timezone', count: 'count' },
    example: {
      query: { cron: '0 3 * * *', timezone: 'Europe/Berlin' },
      response: {
        upcoming: [sample.NEXT],
        description: 'At 03:00, every day.',
        firesPerDay: 1,
        timezone: 'Europe/Berlin',
      },
    },
  },
  tool: null,
  run: async ({ services: { deps } }, input) => preview(deps.clock, input),
});
