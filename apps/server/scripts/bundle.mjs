// @ts-check
// Joins the compiled program and its libraries into one file, and into a few more what is only loaded when it is needed:
// starting then reads one file in place of hundreds, which halves the time. The SQLite driver stays outside, because it
// brings native code of its own; of the kernel's locks the compiled parts are laid beside.
import { cpSync, existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

// Names stay as they are, for whoever reads the stack of an error.
/** @type {import('esbuild').BuildOptions} */
const small = { minifySyntax: true, minifyWhitespace: true };

const LOCKS = 'fs-native-extensions';
const locksFolder = dirname(createRequire(import.meta.url).resolve(`${LOCKS}/package.json`));
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Has the kernel's locks look for their compiled part beside the program. @type {import('esbuild').Plugin} */
const locks = {
  name: 'locks',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]fs-native-extensions[\\/]binding\.js$/ }, () => ({
      contents: `const name = './locks/' + process.platform + '-' + process.arch + '.node'; module.exports = require(name);`,
    }));
  },
};

/**
 * Leaves out what express would read bodies with: the service reads them itself, and the tables of old encodings in there are
 * a fifth of the program.
 *
 * @type {import('esbuild').Plugin}
 */
const ownBodies = {
  name: 'own-bodies',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^body-parser$/ }, () => ({ path: 'body-parser', namespace: 'left-out' }));
    onLoad({ filter: /^body-parser$/, namespace: 'left-out' }, () => ({
      contents: `const none = () => { throw new Error('Bodies are read by the service itself.'); };
        module.exports = { json: none, raw: none, text: none, urlencoded: none };`,
    }));
  },
};

/** The manifest of a package as a folder finds it. @param {string} name @param {string} from @returns {string} */
function findPackageJSON(name, from) {
  const file = join(from, 'node_modules', name, 'package.json');
  const up = dirname(from);
  if (existsSync(file)) return realpathSync(file);
  if (up === from) throw new Error(`${name} is not installed.`);
  return findPackageJSON(name, up);
}

/**
 * Of these the newer module format is taken: of the older one, nothing that is not needed could be left out.
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
  plugins: [locks, ownBodies, tracing],
  external: ['@photostructure/sqlite'],
  // Libraries in the older module format ask for Node's own modules this way.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
});

// A program of its own, which is handed to Node as one text.
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

// The names of the further files change with what is in them.
const outputs = { ...program.metafile.outputs, ...helper.metafile.outputs };
const made = new Set(Object.keys(outputs).map((path) => path.split('/').at(-1)));
for (const name of await readdir(here('dist'))) {
  if (name.startsWith('svc-') && !made.has(name)) await rm(here(`dist/${name}`));
}
// What went into which file, for whoever lists it.
await writeFile(here('dist/bundle.json'), JSON.stringify(outputs));

// Node opens all files that one imports at the same time. Taken one after the other, each after those that it needs, they do
// with one, where a process may open few.
/** @param {string} path @param {Set<string>} found @returns {Set<string>} */
function inOrder(path, found = new Set()) {
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && next in outputs && !found.has(next)) inOrder(next, found);
  }
  return found.add(path);
}
const started = [...inOrder('dist/svc.js')].map((path) => path.replace('dist/', './'));
const lines = started.map((path) => `await import('${path}');\n`);
await writeFile(here('dist/svc-start.js'), lines.join(''));
