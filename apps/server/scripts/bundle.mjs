// @ts-check
// Bundles the compiled program and its libraries into one file, and further ones for code that is loaded on demand: a start reads
// one file instead of hundreds, which halves its time. The SQLite driver stays outside because it has native code; the compiled
// parts of the kernel locks are copied next to the bundle.
import { cpSync, existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AJV_OPTIONS } from '@svc/schema';
import { ANNOTATIONS, SCHEMA_BY_KEY, SETTING_FORMATS } from '@svc/settings';
import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: here(''),
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
  metafile: true,
};

// Names are not minified, so that stack traces stay readable.
/** @type {import('esbuild').BuildOptions} */
const small = { minifySyntax: true, minifyWhitespace: true };

const LOCKS = 'fs-native-extensions';
const locksFolder = dirname(createRequire(import.meta.url).resolve(`${LOCKS}/package.json`));
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Makes the kernel locks load their compiled part from the folder of the bundle. @type {import('esbuild').Plugin} */
const locks = {
  name: 'locks',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]fs-native-extensions[\\/]binding\.js$/ }, () => ({
      contents: `const name = './locks/' + process.platform + '-' + process.arch + '.node'; module.exports = require(name);`,
    }));
  },
};

/**
 * Leaves out the body parsers of express: the service reads bodies itself, and their tables of old encodings are a fifth of the
 * program.
 *
 * @type {import('esbuild').Plugin}
 */
const ownBodies = {
  name: 'own-bodies',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^body-parser$/ }, () => ({ path: 'body-parser', namespace: 'left-out' }));
    onLoad({ filter: /^body-parser$/, namespace: 'left-out' }, () => ({
      contents: `const none = () => { throw new Error('The service reads bodies itself.'); };
        module.exports = { json: none, raw: none, text: none, urlencoded: none };`,
    }));
  },
};

/** The manifest of a package as resolved from a folder. @param {string} name @param {string} from @returns {string} */
function findPackageJSON(name, from) {
  const file = join(from, 'node_modules', name, 'package.json');
  const up = dirname(from);
  if (existsSync(file)) return realpathSync(file);
  if (up === from) throw new Error(`${name} is not installed.`);
  return findPackageJSON(name, up);
}

/**
 * These packages are bundled from their ES modules: CommonJS code cannot be tree-shaken.
 *
 * @type {import('esbuild').Plugin}
 */
const tracing = {
  name: 'tracing',
  setup({ onResolve }) {
    onResolve({ filter: /^@opentelemetry\/[^/]+$/ }, ({ path, resolveDir }) => {
      const manifest = findPackageJSON(path, resolveDir);
      const { module } = JSON.parse(readFileSync(manifest, 'utf8'));
      if (module === undefined) return null;
      return { path: join(dirname(manifest), module), sideEffects: false };
    });
  },
};

/** Replaces the compiler of the schema of settings by its result. @type {import('esbuild').Plugin} */
const settings = {
  name: 'settings',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]settings[\\/]dist[\\/]find-faults\.js$/ }, ({ path }) => ({
      contents: compiledSettings(),
      resolveDir: dirname(path),
    }));
  },
};

function compiledSettings() {
  const code = { source: true, esm: true, formats: _`FORMATS` };
  const ajv = new Ajv({ ...AJV_OPTIONS, verbose: true, code });
  const formats = Object.entries(SETTING_FORMATS);
  for (const [name, { read }] of formats) ajv.addFormat(name, (text) => read(text) !== null);
  ajv.addVocabulary([...ANNOTATIONS]);
  const compiled = standalone.default(ajv, ajv.compile(SCHEMA_BY_KEY));
  return `import { faultFinderOf } from '@svc/schema';
    import { SETTING_FORMATS } from './formats.js';
    const FORMATS = Object.fromEntries(
      Object.entries(SETTING_FORMATS).map(([name, { read }]) => [name, (text) => read(text) !== null]),
    );
    ${compiled.replace(/export default (\w+);/, 'export const findFaults = faultFinderOf($1);')}`;
}

rmSync(here('dist/locks'), { recursive: true, force: true });
for (const platform of PLATFORMS) {
  const file = join(locksFolder, 'prebuilds', platform, `${LOCKS}.node`);
  cpSync(file, here(`dist/locks/${platform}.node`));
}

const program = await build({
  ...common,
  ...small,
  entryPoints: [
    { in: here('dist/main.js'), out: 'svc' },
    { in: fileURLToPath(import.meta.resolve('@svc/projects/worker')), out: 'svc-reader' },
  ],
  splitting: true,
  chunkNames: 'svc-[hash]',
  sourcemap: true,
  plugins: [locks, ownBodies, settings, tracing],
  external: ['@photostructure/sqlite'],
  // CommonJS libraries load built-in modules this way.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
});

// A separate program, which is passed to Node as text.
const helper = await build({
  ...common,
  ...small,
  entryPoints: [
    {
      in: fileURLToPath(import.meta.resolve('@svc/agent-runtime/file-helper')),
      out: 'svc-file-helper',
    },
  ],
});

// The names of the further files contain a hash of their content.
const outputs = { ...program.metafile.outputs, ...helper.metafile.outputs };
const made = new Set(Object.keys(outputs).map((path) => path.split('/').at(-1)));
for (const name of await readdir(here('dist'))) {
  if (name.startsWith('svc-') && !made.has(name)) await rm(here(`dist/${name}`));
}
// The inputs of each file, for tools that list them.
await writeFile(here('dist/bundle.json'), JSON.stringify(outputs));

// Node opens all imports of a file at the same time. Loaded one after the other, dependencies first, they need one file descriptor,
// which matters when a process may open few.
/** @param {string} path @param {Set<string>} found @returns {Set<string>} */
function inOrder(path, found = new Set()) {
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && next in outputs && !found.has(next)) inOrder(next, found);
  }
  return found.add(path);
}
const relative = (/** @type {Iterable<string>} */ paths) =>
  [...paths].map((path) => path.replace('dist/', './'));
const lines = relative(inOrder('dist/svc.js')).map((path) => `await import('${path}');\n`);
await writeFile(here('dist/svc-start.js'), lines.join(''));

// The same for code that is loaded on demand. The name is as long as `import`, so that the source maps stay valid.
for (const [path, { imports }] of Object.entries(program.metafile.outputs)) {
  const loaded = imports.filter(
    ({ path: next, kind }) => kind === 'dynamic-import' && next in outputs,
  );
  if (loaded.length === 0) continue;
  const orders = loaded.map(({ path: next }) => [relative([next])[0], relative(inOrder(next))]);
  const text = readFileSync(here(path), 'utf8').replace(/\bimport\((?="\.\/svc-)/g, 'inTurn(');
  await writeFile(
    here(path),
    `${text}async function inTurn(path){for(const each of ${JSON.stringify(Object.fromEntries(orders))}[path])await import(each);return import(path)}\n`,
  );
}
