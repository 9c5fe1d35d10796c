// @ts-check
// The accepted licences of shipped libraries, and the licence texts to ship with them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** SPDX ids: these licences require programs that include such a library only to reproduce the notice. */
export const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished
to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Violations of the accepted licences.
 *
 * @param {import('./libraries.mjs').Library[]} libraries
 * @returns {string[]}
 */
export function licenceFaults(libraries) {
  return libraries
    .filter(({ license }) => !ALLOWED.includes(license))
    .map(
      ({ name, version, license }) =>
        `${name}@${version} is under ${license || 'no licence'}, which is not on the list of scripts/licences.mjs`,
    );
}

/** The licence text of a library. @param {import('./libraries.mjs').Library} library */
export function licenceText(library) {
  const { name, version, license, folder, manifest } = library;
  const names = readdirSync(folder).sort();
  const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8').trim();
  const own = names.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).map(read);
  if (own.length > 0) return own.join('\n\n');
  const readmes = names.filter((file) => /^readme/i.test(file)).map(read);
  const [, section] =
    readmes.map((text) => /^#+ *licen[cs]e *\n([\s\S]*)/im.exec(text)).find(Boolean) ?? [];
  if (section?.includes('Copyright')) return section.trim();
  // Some packages contain only the name of their licence.
  const author = manifest.author?.name ?? manifest.author;
  if (license === 'MIT' && author !== undefined) return `Copyright (c) ${author}\n\n${MIT}`;
  throw new Error(`${name}@${version} has no licence text.`);
}
