import type { ModelPrices, Tally } from '@svc/agent-runtime';
import { countOf, type Fields, fieldsOf } from './json.ts';

/** Tokens of one turn. */
interface Tokens {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Takes the tokens that an agent tells at the end of a turn into its tally, and what they cost. */
export function countUsage(tally: Tally, response: Fields, prices: ModelPrices | null): void {
  const tokens = tokensIn(response);
  if (tokens === null) return;
  Object.assign(tally, tokens);
  if (prices === null) return;
  const { inputPerMillionUsd, outputPerMillionUsd } = prices;
  tally.costMicrousd = Math.round(
    tokens.tokensIn * inputPerMillionUsd + tokens.tokensOut * outputPerMillionUsd,
  );
}

function tokensIn(response: Fields): Tokens | null {
  const meta = fieldsOf(response['_meta']);
  const quota = fieldsOf(fieldsOf(meta['quota'])['token_count']);
  for (const told of [response['usage'], meta['usage'], quota]) {
    const tokens = tokensOf(fieldsOf(told));
    if (tokens !== null) return tokens;
  }
  return null;
}

function tokensOf(told: Fields): Tokens | null {
  const input = countOf(told['inputTokens']) ?? countOf(told['input_tokens']);
  const output = countOf(told['outputTokens']) ?? countOf(told['output_tokens']);
  if (input === null || output === null) return null;
  // What came from a cache was read all the same, and is told beside the others.
  const cached = ['cachedReadTokens', 'cachedWriteTokens'].map((name) => countOf(told[name]) ?? 0);
  return { tokensIn: cached.reduce((sum, more) => sum + more, input), tokensOut: output };
}
