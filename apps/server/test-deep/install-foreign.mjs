// @ts-check
// Installs third-party programs for tests below node_modules/.cache: node install-foreign.mjs [NAME…]
// Prints { NAME: FOLDER, … }. The names are those of the folders in foreign/; by default all are installed.
// Their lockfiles contain no host: npm install --package-lock-only --omit-lockfile-registry-resolved, without any `funding`.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const RECIPES = fileURLToPath(new URL('foreign/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/svc-foreign/', import.meta.url));
const FILES = ['package.json', 'package-lock.json'];
const LOCK_LIFE_MS = 5 * 60_000;
const DRAFT_LIFE_MS = 60 * 60_000;
const deadline = AbortSignal.timeout(4 * 60_000);
const NPM = 'npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error';

/** @param {string} name */
function folderOf(name) {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(readFileSync(join(RECIPES, name, file)));
  return join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`);
}

/** Whether a running process has the lock; a dead one may have left it behind. @param {string} lock */
function isHeld(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    if (Date.now() - statSync(lock).mtimeMs > LOCK_LIFE_MS) return false;
    // The file is empty between its creation and its first write.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** @param {string} name @param {string} folder */
async function install(name, folder) {
  const draft = `${folder}.${randomUUID()}.draft`;
  mkdirSync(draft);
  try {
    for (const file of FILES) copyFileSync(join(RECIPES, name, file), join(draft, file));
    const [command = '', ...args] = NPM.split(' ');
    const env = { ...process.env, NODE_OPTIONS: '' };
    const options = { cwd: draft, env, signal: deadline };
    const npm = spawn(command, args, { ...options, stdio: ['ignore', 2, 2] });
    const [code] = await once(npm, 'close');
    if (code !== 0) throw new Error(`npm could not install ${name} (exit ${code}).`);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was faster, and its result is complete.
    if (!existsSync(folder)) throw error;
  }
}

// The lock only avoids duplicate work: in any case a folder appears under its name once, and complete.
/** @param {string} name */
async function ensure(name) {
  const folder = folderOf(name);
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!take(lock)) {
      await pause(100, null, { signal: deadline });
      continue;
    }
    try {
      if (!existsSync(folder)) await install(name, folder);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return folder;
}

mkdirSync(CACHE, { recursive: true });
// A killed process leaves its draft behind.
for (const name of readdirSync(CACHE)) {
  const path = join(CACHE, name);
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (name.endsWith('.draft') && age > DRAFT_LIFE_MS)
    rmSync(path, { recursive: true, force: true });
}
const given = process.argv.slice(2);
const every = readdirSync(RECIPES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
/** @type {Record<string, string>} */
const folders = {};
for (const name of given.length > 0 ? given : every.map((entry) => entry.name)) {
  folders[name] = await ensure(name);
}
process.stdout.write(`${JSON.stringify(folders)}\n`);
