import { count, exactly } from './common.schema.ts';

const knownCount = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'null if no turn reported any.',
};

const cost = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'Estimated US dollars; null if no turn reported any.',
};

export const amounts = { tokensIn: knownCount, tokensOut: knownCount, cost };

export const used = {
  runs: { ...count, description: 'Number of turns fired by triggers.' },
  chatTurns: { ...count, description: 'Number of turns started by people, clients and agents.' },
  ...amounts,
};

/** Total usage of turns. */
export const usageSumSchema = { $id: 'UsageSum', ...exactly(used) };
