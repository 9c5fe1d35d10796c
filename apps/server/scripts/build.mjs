// @ts-check
// Installs and builds what changed, and nothing else. It runs before anything is installed, so it needs only Node and npm.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFault } from '../bin/node-version.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const MEMORY = join(root, 'node_modules/.cache/svc/build.json');

// Generated folders of a package; everything else is source.
const MADE = ['dist', 'node_modules', 'coverage', '.turbo'];

const at = (/** @type {string} */ path) => join(root, path);

const hashOf = (/** @type {readonly string[]} */ parts) =>
  createHash('sha256').update(parts.join('\n')).digest('hex');

const content = (/** @type {string} */ path) =>
  `${path} ${hashOf([readFileSync(at(path), 'utf8')])}`;

// Other tools store their state in folders that start with a dot.
const namesIn = (/** @type {string} */ folder) =>
  readdirSync(at(folder))
    .filter((name) => !name.startsWith('.'))
    .sort();

const packages = ['packages', 'apps']
  .flatMap((group) => namesIn(group).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(at(`${folder}/package.json`)));

/**
 * The files below a folder, in a fixed order.
 *
 * @param {string} folder
 * @param {readonly string[]} without names of folders to skip
 * @returns {string[]}
 */
function filesBelow(folder, without) {
  const entries = readdirSync(at(folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return without.includes(entry.name) ? [] : filesBelow(path, without);
    return entry.isFile() ? [path] : [];
  });
}

/** A hash of the installed and the required libraries; null if some are missing. */
function installed() {
  const manifests = ['package.json', ...packages.map((folder) => `${folder}/package.json`)];
  const folders = manifests.filter(hasLibraries).map((path) => join(dirname(path), 'node_modules'));
  const all = ['node_modules/.pnpm', ...folders];
  if (!all.every((folder) => existsSync(at(folder)))) return null;
  const present = all.map((folder) => `${folder} ${namesIn(folder).join(' ')}`);
  const wanted = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests].map(content);
  return hashOf([root, process.version, process.platform, process.arch, ...wanted, ...present]);
}

function hasLibraries(/** @type {string} */ manifest) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(at(manifest), 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies }).length > 0;
}

/** A hash of everything the program is built from. */
function sources() {
  const files = packages.flatMap((folder) => filesBelow(folder, MADE));
  return hashOf(['tsconfig.json', 'tsconfig.base.json', 'package.json', ...files].map(content));
}

// Sizes and times only, as the output is many times larger than the sources: a changed file has another time or size.
/** The output of a build, by path. @returns {Record<string, string>} */
function built() {
  const folders = packages
    .map((folder) => `${folder}/dist`)
    .filter((folder) => existsSync(at(folder)));
  const files = folders.flatMap((folder) => filesBelow(folder, []));
  return Object.fromEntries(files.map((path) => [path, markOf(path)]));
}

function markOf(/** @type {string} */ path) {
  const stats = statSync(at(path), { throwIfNoEntry: false });
  return stats === undefined ? 'gone' : `${stats.size} ${stats.mtimeMs}`;
}

/** The input and output of the last complete build. */
function remembered() {
  try {
    return JSON.parse(readFileSync(MEMORY, 'utf8'));
  } catch {
    return { installed: null, sources: null, built: {} };
  }
}

function run(/** @type {string} */ command) {
  execSync(`npx -y --prefer-offline pnpm@10.34.9 ${command}`, { cwd: root, stdio: 'inherit' });
}

function build() {
  const before = remembered();
  const same = before.installed !== null && before.installed === installed();
  const isBuilt =
    same &&
    before.sources === sources() &&
    Object.entries(before.built).every(([path, mark]) => markOf(path) === mark);
  if (isBuilt) return;
  // An interrupted build is repeated the next time.
  rmSync(MEMORY, { force: true });
  if (!same) run('install --frozen-lockfile --prefer-offline');
  const now = { installed: installed(), sources: sources() };
  remember({ installed: now.installed, sources: null, built: {} });
  run('run build:all');
  remember({ ...now, built: built() });
}

function remember(/** @type {object} */ state) {
  mkdirSync(dirname(MEMORY), { recursive: true });
  writeFileSync(MEMORY, JSON.stringify(state));
}

const fault = nodeFault(process.versions.node);
if (fault === null) {
  try {
    build();
  } catch (error) {
    // The failed command has printed the reason.
    process.exitCode = /** @type {{ status?: number }} */ (error).status ?? 1;
    if (typeof (/** @type {{ status?: number }} */ (error).status) !== 'number') throw error;
  }
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
