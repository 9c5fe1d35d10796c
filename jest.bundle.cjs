// @ts-check
// Bundles the test files of a package, so that they load quickly. Tests of Node share what they import from packages: a worker
// loads each of these modules once, and only modules beside the tests, which may have state, once for each test file. Tests in
// another environment become one file with all that they import.
const { existsSync, mkdtempSync, readdirSync, readFileSync } = require('node:fs');
const { builtinModules, isBuiltin } = require('node:module');
const { tmpdir } = require('node:os');
const { basename, dirname, extname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { build } = require('esbuild');

const GLOBALS = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'it',
  'jest',
  'test',
];

const IS_KNOWN = Symbol();
const BESIDE_TESTS = /^(?!.*\/node_modules\/).*\/test(-deep)?\//;

/** The files that match the patterns of a configuration. @param {readonly string[]} patterns */
const testFiles = (patterns) =>
  patterns.flatMap((pattern) => {
    const [folder = '', name] = pattern.split('/**/*');
    if (name === undefined) return [pattern];
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path))
      .map((path) => join(folder, path));
  });

/** @returns {import('esbuild').Plugin} */
const modules = (/** @type {boolean} */ isShared) => ({
  name: 'modules',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^@jest\/globals$/ }, ({ path, pluginData }) => ({
      ...{ path, namespace: 'jest', suffix: pluginData },
    }));
    onLoad({ filter: /^/, namespace: 'jest' }, () => ({
      contents: `export const { ${GLOBALS} } = globalThis[Symbol.for('jest.globals')];`,
    }));
    onLoad({ filter: /\.(tsx?|mjs)$/ }, ({ path, suffix }) => {
      /** @type {Readonly<Record<string, string>>} */
      const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
      return {
        contents: readFileSync(path, 'utf8').replaceAll(
          /import\.meta\.(url|filename|dirname)/g,
          (_, key) => JSON.stringify(meta[key]),
        ),
        loader: /** @type {import('esbuild').Loader} */ (
          extname(path).slice(1).replace('mjs', 'js')
        ),
        pluginData: suffix,
      };
    });
    // Every class name of a style sheet maps to itself.
    onLoad({ filter: /\.css$/ }, () => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => (name === '__esModule' ? false : name) });`,
    }));
    if (!isShared) return;
    // The suffix of a module beside the tests names the test file that it is loaded for.
    onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, suffix: `?${basename(path)}` } : null,
    );
    onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === IS_KNOWN) return null;
      if (isBuiltin(path)) return { external: true };
      const from = { kind, importer, resolveDir, pluginData: IS_KNOWN };
      const found = await resolve(path, from);
      // A library that is not installed is an optional one.
      if (found.errors.length > 0) return { external: true };
      if (BESIDE_TESTS.test(found.path)) return { path: found.path, suffix: pluginData };
      return { path: found.path, external: found.path.includes('/node_modules/') };
    });
  },
});

/** Bundles the test files of a package into a new folder, which it returns. */
module.exports = async (
  /** @type {{ rootDir: string, testMatch: string[], testEnvironment: string, testEnvironmentOptions: { customExportConditions?: string[] } }} */ config,
) => {
  const { rootDir, testMatch, testEnvironment, testEnvironmentOptions } = config;
  const outdir = mkdtempSync(join(tmpdir(), 'svc-tests-'));
  const files = testFiles(testMatch);
  const isShared = testEnvironment.includes('jest-environment-node');
  await build({
    absWorkingDir: rootDir,
    ...(isShared ? separate(files, rootDir) : together(files, rootDir)),
    outdir,
    bundle: true,
    target: 'node20.19',
    conditions: testEnvironmentOptions.customExportConditions ?? [],
    jsx: 'automatic',
    sourcemap: true,
    keepNames: true,
    logLevel: 'warning',
    plugins: [modules(isShared)],
  });
  return outdir;
};

/** @returns {import('esbuild').BuildOptions} */
const separate = (/** @type {string[]} */ files, /** @type {string} */ rootDir) => ({
  ...{ entryPoints: files, outbase: rootDir, outExtension: { '.js': '.mjs' } },
  ...{ platform: 'node', format: 'esm', splitting: true },
});

/** One file that exports a function for each test file, which loads it. @returns {import('esbuild').BuildOptions} */
const together = (/** @type {string[]} */ files, /** @type {string} */ rootDir) => {
  const loaders = files.map((path) => {
    const file = JSON.stringify(path);
    return `${file}: () => import(${file})`;
  });
  return {
    stdin: { contents: `module.exports = { ${loaders} };`, resolveDir: rootDir },
    external: ['node:*', ...builtinModules],
    ...{ platform: 'browser', format: 'cjs', entryNames: 'tests', outExtension: { '.js': '.cjs' } },
  };
};
