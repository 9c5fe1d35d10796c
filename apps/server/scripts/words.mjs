// @ts-check
// The vocabulary for check-words.mjs and check-commits.mjs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const TABLE = fileURLToPath(new URL('words.json', import.meta.url));

/**
 * @typedef {{ file: string, pattern: string, reason: string }} Allowed
 * @typedef {Record<string, Record<string, number>>} Counts counts by group and what is counted
 * @typedef {{ words: Record<string, { pattern: string, say: string }>, helpVerbs: string[], allowed: Allowed[], ceilings: Counts }} Table
 */

/** @type {Table} */
export const table = JSON.parse(readFileSync(TABLE, 'utf8'));

export const words = Object.entries(table.words).map(([name, { pattern, say }]) => ({
  name,
  pattern: new RegExp(`\\b(?:${pattern})\\b`, 'gi'),
  say,
}));
