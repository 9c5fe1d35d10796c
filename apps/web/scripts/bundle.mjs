// @ts-check
// Builds the page into dist and copies it beside the server program, unless no input has changed since
// the last build. A file with compressed forms is copied without the plain form, which the server restores from
// them.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const MADE = here('dist');
const SHIPPED = here('../server/dist/page');
const MODULES = here('../server/dist/page.json');
const MEMORY = here('node_modules/.cache/page.txt');
const SOURCES = [
  ...['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'scripts'].map(here),
  ...['packages/client/src', 'pnpm-lock.yaml'].map((path) => here(`../../${path}`)),
];

/** @returns {string[]} */
function filesOf(/** @type {string} */ path) {
  const names = (() => {
    try {
      return readdirSync(path).sort();
    } catch {
      return null;
    }
  })();
  return names === null ? [path] : names.flatMap((name) => filesOf(join(path, name)));
}

function stateOf(/** @type {readonly string[]} */ paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf)) {
    if (existsSync(file)) hash.update(`${file}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

const made = () => (existsSync(SHIPPED) ? stateOf([SHIPPED, MODULES]) : 'nothing');
const remembered = existsSync(MEMORY) ? readFileSync(MEMORY, 'utf8') : '';

if (remembered !== `${stateOf(SOURCES)} ${made()}`) {
  rmSync(MEMORY, { force: true });
  // A production build, whatever the environment says.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  const built = /** @type {import('vite').Rolldown.RolldownOutput} */ (
    await build({ root: here('.'), logLevel: 'warn' })
  );
  const modules = built.output.flatMap((made) => (made.type === 'chunk' ? made.moduleIds : []));
  writeFileSync(MODULES, JSON.stringify(modules.map((id) => relative(here('.'), id))));
  rmSync(SHIPPED, { recursive: true, force: true });
  const isTwin = (/** @type {string} */ path) => existsSync(`${path}.br`);
  cpSync(MADE, SHIPPED, { recursive: true, filter: (path) => !isTwin(path) });
  mkdirSync(here('node_modules/.cache'), { recursive: true });
  writeFileSync(MEMORY, `${stateOf(SOURCES)} ${made()}`);
}
