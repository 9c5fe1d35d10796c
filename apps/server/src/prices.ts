import { success } from '@svc/core';
import { type Parse, refuse } from './setting-row.ts';

/** Token prices for a runtime that reports no cost. */
export interface Prices {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
}

const MAX = 100_000;

/** Parses a price in US dollars per million tokens. */
export const price: Parse = (value) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= MAX
    ? success(number)
    : refuse(`must be a number of US dollars from 0 to ${MAX}.`);
};
