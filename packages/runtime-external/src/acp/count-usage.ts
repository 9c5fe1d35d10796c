import type { ModelPrices, Tally } from '@svc/agent-runtime';
import { countOf, type Fields, fieldsOf } from './json.ts';

/** Tokens of one turn. */
interface Tokens {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Adds the tokens that an agent reports at the end of a turn to the tally, and their cost if prices are known. */
export function countUsage(tally: Tally, response: Fields, prices: ModelPrices | null): void {
  const tokens = findTokens(response);
  if (tokens === null) return;
  Object.assign(tally, tokens);
  if (prices === null) return;
  const { inputPerMillionUsd, outputPerMillionUsd } = prices;
  tally.costMicrousd = Math.round(
    tokens.tokensIn * inputPerMillionUsd + tokens.tokensOut * outputPerMillionUsd,
  );
}

function findTokens(response: Fields): Tokens | null {
  const meta = fieldsOf(response['_meta']);
  const quota = fieldsOf(fieldsOf(meta['quota'])['token_count']);
  for (const usage of [response['usage'], meta['usage'], quota]) {
    const tokens = tokensOf(fieldsOf(usage));
    if (tokens !== null) return tokens;
  }
  return null;
}

function tokensOf(usage: Fields): Tokens | null {
  const input = countOf(usage['inputTokens']) ?? countOf(usage['input_tokens']);
  const output = countOf(usage['outputTokens']) ?? countOf(usage['output_tokens']);
  if (input === null || output === null) return null;
  // `inputTokens` excludes cached tokens, which are input too.
  const cached = ['cachedReadTokens', 'cachedWriteTokens'].map((name) => countOf(usage[name]) ?? 0);
  return { tokensIn: cached.reduce((sum, more) => sum + more, input), tokensOut: output };
}
