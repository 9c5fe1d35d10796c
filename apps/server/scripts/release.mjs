// @ts-check
// Makes a release, in two steps with a review between them:
//   release.mjs version                            versions and changelogs from .changeset/, and a home of the new version
//   release.mjs publish [--dry-run] [--out DIR]    packs, lists the content, and publishes; DIR is release/ by default
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FOLDERS, manifestOf, ROOT } from './packages.mjs';
import { writeBoms } from './sbom.mjs';
import { fileOf, shipped } from './shipped.mjs';

/** @typedef {import('./shipped.mjs').Shipped} Shipped */

const PNPM = ['-y', '--prefer-offline', 'pnpm@10.34.9'];
const HOMES = 'apps/server/test/fixtures/released';

/** @param {string} text */
const say = (text) => process.stdout.write(`release: ${text}\n`);

/** @param {string} command @param {string[]} args */
function run(command, ...args) {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** @param {string} script below this folder @param {string[]} args */
const runScript = (script, ...args) =>
  run(process.execPath, join(import.meta.dirname, script), ...args);

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  throw new Error(sentence);
}

const changesets = () =>
  readdirSync(join(ROOT, '.changeset')).filter((name) => /^(?!README).*\.md$/.test(name));

function writeVersions() {
  const count = changesets().length;
  if (count === 0) refuse('There is nothing to release: .changeset/ contains only its README.');
  run('npx', ...PNPM, 'exec', 'changeset', 'version');
  run('npx', ...PNPM, 'exec', 'biome', 'format', '--write', ...FOLDERS, 'apps/web');
  runScript('build.mjs');
  const { version } = manifestOf('apps/server');
  if (!existsSync(join(ROOT, HOMES, version))) runScript('write-released-home.mjs');
  say(
    `${count} changes were added to versions and changelogs, and ${HOMES}/${version} was stored.`,
  );
  say('read the changelogs, run .ci/run, commit, then: release.mjs publish');
}

/** Reasons not to publish the current state. */
function refuseUnready() {
  if (changesets().length > 0)
    refuse('Some changes have no version yet. Run release.mjs version first.');
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (repository === '')
    refuse('"repository" in package.json is empty. Set it to the URL of the source code.');
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== '') refuse(`Some files are not committed:\n${status}`);
}

// Known vulnerabilities prevent a release; an unavailable registry is reported, and does not.
function audit() {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'audit.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0 || status === 3) return;
  refuse('A shipped library has known vulnerabilities, or the audit failed.');
}

/** Packs packages into a folder. @param {string} out @param {readonly Shipped[]} packages */
function pack(out, packages) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const which = ['--filter', './packages/*', '--filter', '@svc/server'];
  run('npx', ...PNPM, '-r', ...which, 'pack', '--pack-destination', out);
  for (const tarball of packages.map(tarballOf))
    if (!existsSync(join(out, tarball))) refuse(`${tarball} was not packed.`);
}

/** @param {Shipped} what */
const tarballOf = (what) => `${fileOf(what)}.tgz`;

/** @param {string} out @param {string[]} names */
function writeSums(out, names) {
  const lines = names.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

/** @param {Shipped} what @returns {boolean} whether the registry has this version already, as after an interrupted release */
function isPublished({ name, version }) {
  const args = ['view', `${name}@${version}`, 'version'];
  const { status, stdout } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 && stdout.trim() === version;
}

/** @param {{ isDry: boolean, out: string }} options */
function publish({ isDry, out }) {
  if (!isDry) refuseUnready();
  runScript('build.mjs');
  audit();
  // The siblings of a package include all of its transitive dependencies, so it has more of them than each of those.
  const packages = shipped().sort((a, b) => a.siblings.length - b.siblings.length);
  pack(out, packages);
  const boms = writeBoms(out, packages);
  writeSums(out, [...packages.map(tarballOf), ...boms]);
  say(`${packages.length} packages, their bills of materials and SHA256SUMS are in ${out}.`);
  for (const what of packages) {
    if (!isDry && isPublished(what)) {
      say(`${tarballOf(what)} is published already.`);
      continue;
    }
    const dry = isDry ? ['--dry-run', '--loglevel=error'] : [];
    // Only a CI machine can attest the origin of a package.
    const origin = process.env['GITHUB_ACTIONS'] === 'true' ? [] : ['--provenance=false'];
    run('npm', 'publish', join(out, tarballOf(what)), '--access', 'public', ...origin, ...dry);
  }
  say(isDry ? 'nothing was published: it was a dry run.' : 'everything is published.');
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' } },
});
try {
  const [step] = positionals;
  if (step === 'version') writeVersions();
  else if (step === 'publish')
    publish({
      isDry: values['dry-run'] === true,
      out: resolve(values.out ?? join(ROOT, 'release')),
    });
  else refuse('Name the step: release.mjs version, or release.mjs publish [--dry-run].');
} catch (error) {
  process.stderr.write(`release: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
