import { isRecord } from '@svc/core';
import type { ClaudePrices } from './options.ts';

/** Tokens of the model calls so far; null if not reported. Input tokens include cached ones. */
export interface Tokens {
  in: number | null;
  out: number | null;
}

/** Reads token usage from a Messages API answer while it is streamed. */
export interface UsageReader {
  add(chunk: Uint8Array): void;
}

const NEWLINE = 10;
// Lines with usage are short. Longer lines contain text, or an answer that is not streamed.
const MAX_LINE = 1024 * 1024;

/** Creates a reader for one answer, streamed or not, that adds the reported usage to `tokens`. */
export function createUsageReader(tokens: Tokens): UsageReader {
  const decoder = new TextDecoder();
  let line = '';
  let counted = { in: 0, out: 0 };
  const take = (text: string): void => {
    const usage = usageIn(text);
    if (usage === null) return;
    // Each report contains the total so far.
    const next = { in: usage.in ?? counted.in, out: usage.out ?? counted.out };
    tokens.in = (tokens.in ?? 0) + next.in - counted.in;
    tokens.out = (tokens.out ?? 0) + next.out - counted.out;
    counted = next;
  };
  return {
    add(chunk) {
      line += decoder.decode(chunk, { stream: true });
      // An answer that is not streamed is one line of JSON without a line feed.
      const complete = chunk.at(-1) === NEWLINE ? [] : completeJson(line);
      for (const text of complete) take(text);
      const lines = line.split('\n');
      line = complete.length > 0 ? '' : (lines.pop() ?? '');
      for (const text of complete.length > 0 ? [] : lines) take(text);
      if (line.length > MAX_LINE) line = '';
    },
  };
}

function completeJson(line: string): string[] {
  return line.startsWith('{') && line.trimEnd().endsWith('}') ? [line] : [];
}

function usageIn(line: string): { in: number | null; out: number | null } | null {
  if (!line.includes('"usage"')) return null;
  const data = parsed(line.replace(/^data: ?/, ''));
  const usage = isRecord(data) ? (data['usage'] ?? messageUsage(data['message'])) : null;
  if (!isRecord(usage)) return null;
  const parts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  const reported = parts.map((name) => countOf(usage[name])).filter((part) => part !== null);
  return {
    in: reported.length === 0 ? null : reported.reduce((sum, part) => sum + part, 0),
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

/** The cost of a session as reported by the SDK. */
export interface SessionCost {
  /** US dollars since the start of the session. */
  readonly totalUsd: number;
  /** Whether all models of the session have a list price. */
  readonly hasListPrices: boolean;
}

/** Reads the session cost from a result; null if it has none. */
export function sessionCostOf(result: {
  readonly total_cost_usd?: number;
  readonly modelUsage?: Readonly<Record<string, unknown>>;
}): SessionCost | null {
  const models = Object.values(result.modelUsage ?? {});
  if (typeof result.total_cost_usd !== 'number' || models.length === 0) return null;
  const hasListPrices = models.every((model) => isRecord(model) && model['costBasis'] === 'list');
  return { totalUsd: result.total_cost_usd, hasListPrices };
}

/**
 * The cost of a turn in millionths of a US dollar, from the list prices of the SDK or else from `prices`; null if unknown.
 *
 * @param before cost of the session before this turn in US dollars; null if unknown
 */
export function costOf(
  tokens: Tokens,
  session: SessionCost | null,
  before: number | null,
  prices: ClaudePrices | null,
): number | null {
  if (session?.hasListPrices && before !== null) {
    return Math.max(0, Math.round((session.totalUsd - before) * 1e6));
  }
  if (prices === null || tokens.in === null || tokens.out === null) return null;
  const { inputPerMillionUsd, outputPerMillionUsd } = prices;
  return Math.round(tokens.in * inputPerMillionUsd + tokens.out * outputPerMillionUsd);
}
