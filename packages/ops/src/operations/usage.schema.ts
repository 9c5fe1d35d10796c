import type { JsonSchema } from '@svc/schema';
import { count, exactly, listOf, text } from './common.schema.ts';

const known: JsonSchema = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'null if no turn reported any.',
};
const cost: JsonSchema = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'Estimated US dollars; null if no turn reported any.',
};
const amounts = { tokensIn: known, tokensOut: known, cost };

const runUsageSchema: JsonSchema = {
  $id: 'RunUsage',
  description: 'Usage of a trigger.',
  ...exactly({ runs: { ...count, description: 'Number of fired turns.' }, ...amounts }),
};

/** What a trigger used on this day, and in this month, where the host is. */
export const triggerUsageSchema: JsonSchema = {
  $id: 'TriggerUsage',
  ...exactly({ today: runUsageSchema, month: runUsageSchema }),
};

const used = {
  runs: { ...count, description: 'Number of turns fired by triggers.' },
  chatTurns: { ...count, description: 'Number of turns started by people, clients and agents.' },
  ...amounts,
};

/** What turns used together. */
export const usageSumSchema: JsonSchema = { $id: 'UsageSum', ...exactly(used) };

const day: JsonSchema = { type: 'string', format: 'date' };

/** What a project used in the last days. */
export const projectUsageSchema: JsonSchema = {
  $id: 'ProjectUsage',
  ...exactly({
    timezone: { ...text, description: 'Time zone of the host, which defines the days.' },
    days: { ...listOf(exactly({ day, ...used })), description: 'Every day, earliest first.' },
    total: usageSumSchema,
    triggers: {
      ...listOf(exactly({ source: { enum: ['trigger', 'schedule'] }, name: text, ...used })),
      description: 'Usage of each trigger in these days, most turns first.',
    },
  }),
};
