import { isRecord } from '@svc/core';
import type { ClaudePrices } from './options.ts';

/** Tokens of the model calls so far; null where no answer has told. Tokens in count those that came from a cache. */
export interface Tokens {
  in: number | null;
  out: number | null;
}

/** Reads an answer of the Messages API as it comes by. */
export interface UsageReader {
  add(chunk: Uint8Array): void;
}

const NEWLINE = 10;
// Lines that tell of use are short; longer ones are text, or a whole answer that was not streamed.
const MAX_LINE = 1024 * 1024;

/** Makes a reader for one answer, streamed or not, that adds to `tokens` what the answer tells. */
export function createUsageReader(tokens: Tokens): UsageReader {
  const decoder = new TextDecoder();
  let line = '';
  let counted = { in: 0, out: 0 };
  const take = (text: string): void => {
    const usage = usageIn(text);
    if (usage === null) return;
    // Each one tells the sum so far.
    const next = { in: usage.in ?? counted.in, out: usage.out ?? counted.out };
    tokens.in = (tokens.in ?? 0) + next.in - counted.in;
    tokens.out = (tokens.out ?? 0) + next.out - counted.out;
    counted = next;
  };
  return {
    add(chunk) {
      line += decoder.decode(chunk, { stream: true });
      // An answer that is one line of JSON ends without a newline.
      const whole = chunk.at(-1) === NEWLINE ? [] : parsedWhole(line);
      for (const text of whole) take(text);
      const lines = line.split('\n');
      line = whole.length > 0 ? '' : (lines.pop() ?? '');
      for (const text of whole.length > 0 ? [] : lines) take(text);
      if (line.length > MAX_LINE) line = '';
    },
  };
}

function parsedWhole(line: string): string[] {
  return line.startsWith('{') && line.trimEnd().endsWith('}') ? [line] : [];
}

function usageIn(line: string): { in: number | null; out: number | null } | null {
  if (!line.includes('"usage"')) return null;
  const data = parsed(line.replace(/^data: ?/, ''));
  const usage = isRecord(data) ? (data['usage'] ?? messageUsage(data['message'])) : null;
  if (!isRecord(usage)) return null;
  const parts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  const given = parts.map((name) => countOf(usage[name])).filter((part) => part !== null);
  return {
    in: given.length === 0 ? null : given.reduce((sum, part) => sum + part, 0),
    out: countOf(usage['output_tokens']),
  };
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function messageUsage(message: unknown): unknown {
  return isRecord(message) ? message['usage'] : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the SDK tells of money: dollars since the session began, and whether every model of it has a list price. */
export interface SessionCost {
  readonly totalUsd: number;
  readonly listed: boolean;
}

/** Reads it from a result; null where there is none. */
export function sessionCostOf(result: {
  readonly total_cost_usd?: number;
  readonly modelUsage?: Readonly<Record<string, unknown>>;
}): SessionCost | null {
  const models = Object.values(result.modelUsage ?? {});
  if (typeof result.total_cost_usd !== 'number' || models.length === 0) return null;
  const listed = models.every((model) => isRecord(model) && model['costBasis'] === 'list');
  return { totalUsd: result.total_cost_usd, listed };
}

/**
 * What a turn has cost, in millionths of a US dollar: by the list where the SDK knows it, else by `prices`; null where
 * neither can tell.
 *
 * @param before Dollars of the session before this turn; null where they are unknown.
 */
export function costOf(
  tokens: Tokens,
  session: SessionCost | null,
  before: number | null,
  prices: ClaudePrices | null,
): number | null {
  if (session?.listed && before !== null) {
    return Math.max(0, Math.round((session.totalUsd - before) * 1e6));
  }
  if (prices === null || tokens.in === null || tokens.out === null) return null;
  const { inputPerMillionUsd, outputPerMillionUsd } = prices;
  return Math.round(tokens.in * inputPerMillionUsd + tokens.out * outputPerMillionUsd);
}
