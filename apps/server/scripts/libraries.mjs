// @ts-check
// Lists third-party packages.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** @typedef {{ name: string, version: string, license: string, folder: string, manifest: Record<string, any> }} Library */

/**
 * The third-party packages that files belong to, each once, by name and version.
 *
 * @param {Iterable<string>} files
 * @returns {Library[]}
 */
export function librariesOf(files) {
  const found = new Map();
  for (const file of files) {
    const folder = packageFolder(resolve(file));
    // Files of the workspace are not third-party, and a bundler's virtual modules are no files.
    if (folder === null || !folder.includes('/node_modules/')) continue;
    const library = libraryIn(folder);
    found.set(`${library.name}@${library.version}`, library);
  }
  return inOrder(found);
}

/** @param {string} folder @returns {Library} */
export function libraryIn(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  return { name, version, license: String(license?.type ?? license ?? ''), folder, manifest };
}

/** @param {Map<string, Library>} found @returns {Library[]} */
export function inOrder(found) {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, library]) => library);
}

/** The folder of the package that a file is in; packages may contain further manifests, without names. @param {string} file */
function packageFolder(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
    if (name !== undefined && version !== undefined) return folder;
  }
  return null;
}
