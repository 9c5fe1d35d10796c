// @ts-check
// Checks the packages: packed manifests, dependency ranges, licences, and docs/packages.md.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { licenceFaults } from './licences.mjs';
import { FOLDERS, manifestOf, packagesPage, ROOT, TABLE } from './packages.mjs';
import { shippedLibraries } from './shipped.mjs';

const { hooks } = createRequire(import.meta.url)(join(ROOT, '.pnpmfile.cjs'));
const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const PLACES = ['homepage', 'bugs', 'repository'];

/** @param {string} folder @returns {string[]} */
function manifestFaults(folder) {
  const written = manifestOf(folder);
  const packed = hooks.beforePacking(written, join(ROOT, folder));
  const { dependencies = {}, description, keywords = [], files = [] } = packed;
  const exact = Object.entries(dependencies).filter(([, range]) => /^\d/.test(String(range)));
  const given = PLACES.filter((field) => field in packed);
  return [
    ...(written.private ? ['it is private, and cannot be published'] : []),
    ...(description && keywords.length > 2 ? [] : ['it has no description, or too few keywords']),
    ...(files.includes('CHANGELOG.md') ? [] : ['"files" leaves out its changelog']),
    ...['README.md', 'CHANGELOG.md']
      .filter((name) => !existsSync(join(ROOT, folder, name)))
      .map((name) => `it has no ${name}`),
    ...exact.map(([name, version]) => `it pins ${name} to ${version}: give a range`),
    ...(packed.scripts || packed.devDependencies ? ['scripts are packed, or what they need'] : []),
    ...PLACES.filter((field) => field in written).map(
      (field) => `${field} comes from the package.json of the root`,
    ),
    ...(given.length === (repository === '' ? 0 : PLACES.length)
      ? []
      : [`it would be packed with ${given.join(', ') || 'no'} repository fields`]),
  ];
}

const server = manifestOf('apps/server');
const faults = [
  ...FOLDERS.flatMap((folder) => manifestFaults(folder).map((fault) => `${folder}: ${fault}`)),
  ...(Object.keys(server.dependencies).length === 1
    ? []
    : ['apps/server: it has more than one dependency']),
  ...licenceFaults(shippedLibraries()),
  ...(existsSync(TABLE) && readFileSync(TABLE, 'utf8') === packagesPage()
    ? []
    : ['docs/packages.md is out of date: node apps/server/scripts/write-packages.mjs']),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
