import type { Issue } from '@svc/core';
import type { ExternalSettings } from './external-settings.ts';
import { type Prices, price } from './prices.ts';
import { type RuntimeSettings, runtimeOf } from './runtime-settings.ts';
import { type Parse, refuse } from './setting-row.ts';

const LIMIT = 'limits.costPerDayUsd';

/** Reads a limit in US dollars. */
export const dollars: Parse = (value) => {
  const read = price(value);
  return read.ok && (read.value as number) > 0
    ? read
    : refuse('must be a number of US dollars above 0, up to 100000, such as 5 or 2.50.');
};

/** What prevents a daily cost limit from being enforced: runtimes that report no cost. */
export function costFaults(values: ReadonlyMap<string, unknown>): Issue[] {
  if ((values.get(LIMIT) ?? null) === null) return [];
  return [...unknownCosts(runtimeOf(values)).values()].map((message) => ({ path: LIMIT, message }));
}

/** Why a cost limit cannot be enforced, given the runtimes without a known cost. */
export function unknownCosts({
  native,
  claude,
  external,
}: RuntimeSettings): ReadonlyMap<string, string> {
  const unknown = new Map<string, string>();
  const asksModel = native.model !== null && native.model !== 'playbook';
  if (asksModel && native.prices === null) unknown.set('native', unpriced('native'));
  if (claude.baseUrl !== null && claude.prices === null) unknown.set('claude', unpriced('claude'));
  for (const [name, settings] of Object.entries(external)) {
    const message = ofExternal(name, settings);
    if (message !== null) unknown.set(name, message);
  }
  return unknown;
}

function ofExternal(name: string, { protocol, prices }: ExternalSettings): string | null {
  if (protocol === 'acp') return prices === null ? unpriced(`external.${name}`) : null;
  if (prices !== null && isFree(prices)) return null;
  return `cannot be enforced: the text command runtime.external.${name} reports no usage. If it costs nothing, set its prices to 0.`;
}

function isFree({ inputPerMillionUsd, outputPerMillionUsd }: Prices): boolean {
  return inputPerMillionUsd === 0 && outputPerMillionUsd === 0;
}

function unpriced(id: string): string {
  return `cannot be enforced: the cost of turns of ${id} is unknown. Set runtime.${id}.prices (inputPerMillionUsd and outputPerMillionUsd; 0 if free).`;
}
