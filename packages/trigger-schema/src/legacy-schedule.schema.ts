import type { FromSchema } from '@svc/schema';

const rest = {
  prompt: { type: 'string', description: 'The prompt of the turn.' },
  promptFile: { type: 'string', description: 'Markdown file with the prompt, read for each run.' },
  resume_session: {
    type: 'boolean',
    description: 'Whether to use one chat for all runs instead of a new one for each.',
  },
  enabled: { type: 'boolean', description: 'Whether it is armed.' },
} as const;

/** JSON Schema (draft 2020-12) of an entry of the legacy `schedules` map, with its defaults filled in. */
export const legacyScheduleSchema = {
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'cron', 'resume_session', 'enabled'],
      properties: {
        type: { const: 'cron' },
        cron: { type: 'string', description: 'Cron expression of five fields.' },
        ...rest,
      },
    },
    {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'interval', 'resume_session', 'enabled'],
      properties: {
        type: { const: 'interval' },
        interval: { type: 'string', description: 'Duration such as `30m`.' },
        ...rest,
      },
    },
  ],
} as const;

/** A legacy schedule with its defaults filled in: `resume_session: false`, `enabled: true`. */
export type LegacySchedule = FromSchema<typeof legacyScheduleSchema>;
