// @ts-check
const build = require('../../../jest.build.cjs');

/** One server for all tests of a run. */
module.exports = async (
  /** @type {unknown} */ all,
  /** @type {Parameters<typeof build>[1]} */ config,
) => {
  await build(all, config);
  const { startPostgres } = await import('./postgres.mjs');
  const server = await startPostgres();
  process.env['SVC_STORE_TEST_SERVER'] = server.url;
  Object.assign(globalThis, { storeTestServer: server });
};
