// @ts-check
// Tests start programs and threads that load packages as they are built. This builds what the package under test needs, so
// that its tests pass in a fresh clone and never load old code.
const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

const TSC = join(__dirname, 'node_modules/.bin/tsc');
const BUILD_ALL = join(__dirname, 'apps/server/scripts/build.mjs');
const PROGRAM = join(__dirname, 'apps/server/dist/svc.js');

const bundleTests = require('./jest.bundle.cjs');

module.exports = async (
  /** @type {unknown} */ _all,
  /** @type {Parameters<typeof bundleTests>[0]} */ config,
) => {
  build(config.rootDir);
  process.env['SVC_TEST_BUNDLE'] = await bundleTests(config);
};

function build(/** @type {string} */ rootDir) {
  // The scripts of the root have built everything already.
  if (process.env['SVC_BUILT'] === '1') return;
  const inherit = /** @type {const} */ ({ stdio: 'inherit' });
  if (basename(dirname(rootDir)) !== 'apps') execFileSync(TSC, ['-b', rootDir], inherit);
  // An application is bundled from all packages, which takes too long for each start of its tests.
  else if (!existsSync(PROGRAM)) execFileSync(process.execPath, [BUILD_ALL], inherit);
}
