import type { JsonSchema } from '@svc/schema';
import { count, exactly, listOf, text } from './common.schema.ts';

const known: JsonSchema = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'null where no turn has told any.',
};
const cost: JsonSchema = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'Estimated US dollars; null where no turn has told any.',
};
const amounts = { tokensIn: known, tokensOut: known, cost };

const runUsageSchema: JsonSchema = {
  $id: 'RunUsage',
  description: 'What the turns of a trigger used.',
  ...exactly({ runs: { ...count, description: 'Turns that it fired.' }, ...amounts }),
};

/** What a trigger used on this day, and in this month, where the host is. */
export const triggerUsageSchema: JsonSchema = {
  $id: 'TriggerUsage',
  ...exactly({ today: runUsageSchema, month: runUsageSchema }),
};

const used = {
  runs: { ...count, description: 'Turns that triggers fired.' },
  chatTurns: { ...count, description: 'Turns of people, clients and agents.' },
  ...amounts,
};

/** What turns used together. */
export const usageSumSchema: JsonSchema = { $id: 'UsageSum', ...exactly(used) };

const day: JsonSchema = { type: 'string', format: 'date' };

/** What a project used in the last days. */
export const projectUsageSchema: JsonSchema = {
  $id: 'ProjectUsage',
  ...exactly({
    timezone: { ...text, description: 'Zone of the host, whose days count.' },
    days: { ...listOf(exactly({ day, ...used })), description: 'Every day, the earliest first.' },
    total: usageSumSchema,
    triggers: {
      ...listOf(exactly({ source: { enum: ['trigger', 'schedule'] }, name: text, ...used })),
      description: 'What each trigger used in these days, whoever ran most first.',
    },
  }),
};
