import { count, exactly } from './common.schema.ts';

const knownCount = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'null if no turn reported any.',
} as const;

const cost = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'Estimated US dollars; null if no turn reported any.',
} as const;

export const amounts = { tokensIn: knownCount, tokensOut: knownCount, cost };

export const used = {
  runs: { ...count, description: 'Number of turns fired by triggers.' },
  chatTurns: { ...count, description: 'Number of turns started by people, clients and agents.' },
  ...amounts,
} as const;

/** Total usage of turns. */
export const usageSumSchema = { $id: 'UsageSum', ...exactly(used) };
