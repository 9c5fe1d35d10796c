// @ts-check
// What ships: every package that is published, and the libraries of others that come with it.
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
 * @property {string[]} siblings packages of this repository that come with it
 * @property {import('./libraries.mjs').Library[]} brought what an installer fetches for it
 * @property {import('./libraries.mjs').Library[]} held what its own files hold
 */

/** Needs a build: what the program and the page hold, their bundlers have written down. @returns {Shipped[]} */
export function shipped() {
  return FOLDERS.map((folder) => {
    const { name, version, license } = manifestOf(folder);
    const held = folder === SERVER ? bundledLibraries() : [];
    const { ours: siblings, others: brought } = broughtBy(folder);
    return { folder, name, version, license, siblings, brought, held };
  });
}

/** What the files of a package are called, as `pnpm pack` calls its tarball. @param {Pick<Shipped, 'name' | 'version'>} what */
export const fileOf = ({ name, version }) =>
  `${name.replace('@', '').replace('/', '-')}-${version}`;

/** All libraries of others that ship with anything, each once. */
export function shippedLibraries() {
  const all = shipped().flatMap(({ brought, held }) => [...brought, ...held]);
  return inOrder(new Map(all.map((library) => [`${library.name}@${library.version}`, library])));
}

/** What the lock file says that each library is, by name and version: its SHA-512 as hexadecimal text. */
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
