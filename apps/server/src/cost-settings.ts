import type { Issue } from '@svc/core';
import type { ExternalSettings } from './external-settings.ts';
import { type Prices, price } from './prices.ts';
import { runtimeOf } from './runtime-settings.ts';
import { type Parse, refuse } from './setting-row.ts';

const LIMIT = 'limits.costPerDayUsd';

/** Reads a limit in US dollars. */
export const dollars: Parse = (value) => {
  const read = price(value);
  return read.ok && (read.value as number) > 0
    ? read
    : refuse('must be a number of US dollars above 0, up to 100000, such as 5 or 2.50.');
};

/** What keeps a daily limit of cost from being held: runtimes of which nobody knows what their turns cost. */
export function costFaults(values: ReadonlyMap<string, unknown>): Issue[] {
  if ((values.get(LIMIT) ?? null) === null) return [];
  const { native, claude, external } = runtimeOf(values);
  const asksModel = native.model !== null && native.model !== 'playbook';
  return [
    ...(asksModel && native.prices === null ? [unpriced('native')] : []),
    ...(claude.baseUrl !== null && claude.prices === null ? [unpriced('claude')] : []),
    ...Object.entries(external).flatMap(([name, settings]) => ofExternal(name, settings)),
  ];
}

function ofExternal(name: string, { protocol, prices }: ExternalSettings): Issue[] {
  if (protocol === 'acp') return prices === null ? [unpriced(`external.${name}`)] : [];
  if (prices !== null && isFree(prices)) return [];
  const message = `cannot be held: the text command runtime.external.${name} does not tell what it uses. If it costs nothing, say so with prices of 0.`;
  return [{ path: LIMIT, message }];
}

function isFree({ inputPerMillionUsd, outputPerMillionUsd }: Prices): boolean {
  return inputPerMillionUsd === 0 && outputPerMillionUsd === 0;
}

function unpriced(id: string): Issue {
  const message = `cannot be held: nobody knows what turns of ${id} cost. Set runtime.${id}.prices (inputPerMillionUsd and outputPerMillionUsd; 0 where it is free).`;
  return { path: LIMIT, message };
}
