// @ts-check
// Writes the bill of materials (CycloneDX 1.6) of each package from the lock file, and for the server from the metafiles of its
// bundlers. `node apps/server/scripts/sbom.mjs FOLDER` writes one file for each package; needs a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { fileOf, lockedHashes, shipped } from './shipped.mjs';

/** @typedef {import('./shipped.mjs').Shipped} Shipped */

const serializer = new Serialize.JsonSerializer(
  new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
);

/** The purl of a package: https://github.com/package-url/purl-spec. @param {string} name @param {string} version */
const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** @param {Models.Component} component @param {string} name @param {string} version @param {string} license */
function identify(component, name, version, license) {
  component.version = version;
  component.purl = purlOf(name, version);
  component.bomRef.value = component.purl;
  component.licenses.add(new Models.SpdxLicense(license));
  return component;
}

/**
 * @param {import('./libraries.mjs').Library} library
 * @param {boolean} isHeld whether it is bundled into the files of the package
 * @param {ReadonlyMap<string, string>} hashes
 */
function componentOf({ name, version, license }, isHeld, hashes) {
  const hash = hashes.get(`${name}@${version}`);
  if (hash === undefined) throw new Error(`The lock file has no ${name}@${version}.`);
  const component = new Models.Component(Enums.ComponentType.Library, name);
  identify(component, name, version, license);
  component.scope = Enums.ComponentScope.Required;
  component.hashes.set(Enums.HashAlgorithm['SHA-512'], hash);
  if (isHeld) component.properties.add(new Models.Property('cdx:npm:package:bundled', 'true'));
  return component;
}

/** A package of this repository that another one depends on; its own contents are in its own bill. @param {Shipped} what */
const siblingOf = ({ name, version, license }) =>
  identify(new Models.Component(Enums.ComponentType.Library, name), name, version, license);

/**
 * The bill of materials of one package, as the text of a file. It is reproducible from the lock file.
 *
 * @param {Shipped} what
 * @param {readonly Shipped[]} all
 * @param {ReadonlyMap<string, string>} hashes
 */
function bomOf({ name, version, license, siblings, brought, held }, all, hashes) {
  const isProgram = held.length > 0;
  const type = isProgram ? Enums.ComponentType.Application : Enums.ComponentType.Library;
  const root = identify(new Models.Component(type, name), name, version, license);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) });
  const known = new Set(held.map((library) => `${library.name}@${library.version}`));
  const fetched = brought.filter((library) => !known.has(`${library.name}@${library.version}`));
  for (const component of [
    ...held.map((library) => componentOf(library, true, hashes)),
    ...fetched.map((library) => componentOf(library, false, hashes)),
    ...all.filter((each) => siblings.includes(each.name)).map(siblingOf),
  ]) {
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
  }
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/**
 * Writes the bill of each package into a folder; returns the names of the files.
 *
 * @param {string} folder
 * @param {readonly Shipped[]} all
 */
export function writeBoms(folder, all) {
  const hashes = lockedHashes();
  mkdirSync(folder, { recursive: true });
  return all.map((what) => {
    const file = `${fileOf(what)}.cdx.json`;
    writeFileSync(join(folder, file), bomOf(what, all, hashes));
    return file;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder: sbom.mjs FOLDER.');
  process.stdout.write(
    `${writeBoms(folder, shipped()).length} bills of materials are in ${folder}.\n`,
  );
}
