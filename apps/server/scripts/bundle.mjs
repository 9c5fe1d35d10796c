// @ts-check
// Joins the compiled program and its libraries into one file, and into a few more what is only loaded when it is needed:
// starting then reads one file in place of hundreds, which halves the time. The SQLite driver and
// the kernel's locks stay outside, because they bring native code.
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url).pathname;

/** @type {import('esbuild').BuildOptions} */
const common = {
  outdir: here('dist'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
};

const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: [
    { in: here('dist/main.js'), out: 'svc' },
    { in: fileURLToPath(import.meta.resolve('@svc/projects/worker')), out: 'svc-reader' },
  ],
  splitting: true,
  chunkNames: 'svc-[hash]',
  sourcemap: true,
  external: ['@photostructure/sqlite', 'fs-native-extensions'],
  // Libraries in the older module format ask for Node's own modules this way.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
});

// A program of its own, which is handed to Node as one text.
const HELPER = 'svc-file-helper';
const helper = fileURLToPath(import.meta.resolve('@svc/agent-runtime/file-helper'));
await build({ ...common, entryPoints: [{ in: helper, out: HELPER }] });

// The names of the further files change with what is in them.
const outputs = [...Object.keys(metafile.outputs), `${HELPER}.js`];
const made = new Set(outputs.map((path) => path.split('/').at(-1)));
for (const name of await readdir(here('dist'))) {
  if (name.startsWith('svc-') && !made.has(name)) await rm(here(`dist/${name}`));
}
