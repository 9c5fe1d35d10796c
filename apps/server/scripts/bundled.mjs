// @ts-check
// The libraries in the built program and its page, from the metafiles of their bundlers.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { librariesOf } from './libraries.mjs';

const SERVER = fileURLToPath(new URL('../', import.meta.url));
const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(`${SERVER}dist/${name}`, 'utf8'));

export function bundledLibraries() {
  /** @type {{ inputs: Record<string, unknown> }[]} */
  const outputs = Object.values(read('bundle.json'));
  const program = outputs.flatMap(({ inputs }) => Object.keys(inputs));
  /** @type {string[]} */
  const page = read('page.json');
  return librariesOf([
    ...program.map((path) => `${SERVER}${path}`),
    ...page.map((path) => `${WEB}${path}`),
  ]);
}
