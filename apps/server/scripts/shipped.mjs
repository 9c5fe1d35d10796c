// @ts-check
// Lists what ships: every published package, and the third-party libraries that come with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { bundledLibraries } from './bundled.mjs';
import { inOrder } from './libraries.mjs';
import { broughtBy, FOLDERS, manifestOf, ROOT } from './packages.mjs';

const SERVER = 'apps/server';

/**
 * @typedef {object} Shipped
 * @property {string} folder below the root
 * @property {string} name
 * @property {string} version
 * @property {string} license
 * @property {string[]} siblings packages of this repository that it depends on
 * @property {import('./libraries.mjs').Library[]} brought libraries that an installer downloads for it
 * @property {import('./libraries.mjs').Library[]} held libraries bundled into its own files
 */

/** Needs a build: reads the metafiles of the bundlers of program and page. @returns {Shipped[]} */
export function shipped() {
  return FOLDERS.map((folder) => {
    const { name, version, license } = manifestOf(folder);
    const held = folder === SERVER ? bundledLibraries() : [];
    const { ours: siblings, others: brought } = broughtBy(folder);
    return { folder, name, version, license, siblings, brought, held };
  });
}

/** The base name of the files of a package, as `pnpm pack` names its tarball. @param {Pick<Shipped, 'name' | 'version'>} what */
export const fileOf = ({ name, version }) =>
  `${name.replace('@', '').replace('/', '-')}-${version}`;

/** All shipped third-party libraries, each once. */
export function shippedLibraries() {
  const all = shipped().flatMap(({ brought, held }) => [...brought, ...held]);
  return inOrder(new Map(all.map((library) => [`${library.name}@${library.version}`, library])));
}

/** The SHA-512 of each library in the lock file as hexadecimal text, by name and version. */
export function lockedHashes() {
  /** @type {{ packages: Record<string, { resolution: { integrity?: string } }> }} */
  const { packages } = parse(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'));
  const hashes = Object.entries(packages).flatMap(([key, { resolution }]) => {
    const [, digest] = /^sha512-(.+)$/.exec(resolution.integrity ?? '') ?? [];
    return digest === undefined
      ? []
      : [/** @type {const} */ ([key, Buffer.from(digest, 'base64').toString('hex')])];
  });
  return new Map(hashes);
}
