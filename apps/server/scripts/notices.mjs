// @ts-check
// Writes dist/THIRD-PARTY-NOTICES.txt: the licences of every library in the program and the page.
import { writeFileSync } from 'node:fs';
import { bundledLibraries } from './bundled.mjs';
import { licenceFaults, licenceText } from './licences.mjs';

const INTRODUCTION = `The program of svc and its page hold the libraries below. Each is under its own licence, in these words.`;
const LINE = '-'.repeat(100);

const libraries = bundledLibraries();
const faults = licenceFaults(libraries);
if (faults.length > 0) throw new Error(faults.join('\n'));

// Libraries by the same author often have the same text.
/** @type {Map<string, string[]>} */
const named = new Map();
for (const library of libraries) {
  const text = licenceText(library).replaceAll('\r\n', '\n');
  const { name, version, license } = library;
  named.set(text, [...(named.get(text) ?? []), `${name} ${version} (${license})`]);
}
const parts = [...named].map(([text, names]) => `${LINE}\n${names.join('\n')}\n\n${text}\n`);
const file = new URL('../dist/THIRD-PARTY-NOTICES.txt', import.meta.url);
writeFileSync(file, [`${INTRODUCTION}\n`, ...parts].join('\n'));
