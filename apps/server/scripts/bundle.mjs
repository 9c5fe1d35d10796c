// @ts-check
// Joins the compiled program and its libraries into one file: starting then reads one file in place of hundreds, which
// halves the time. The SQLite driver stays outside, because it brings native code.
import { build } from 'esbuild';

const here = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url).pathname;

await build({
  entryPoints: [here('dist/main.js')],
  outfile: here('dist/svc.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  external: ['@photostructure/sqlite'],
  // Libraries in the older module format ask for Node's own modules this way.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
  logLevel: 'warning',
});
