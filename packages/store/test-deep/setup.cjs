// @ts-check
/** One server for all tests of a run. */
module.exports = async () => {
  const { startPostgres } = await import('./postgres.mjs');
  const server = await startPostgres();
  process.env['SVC_STORE_TEST_SERVER'] = server.url;
  Object.assign(globalThis, { storeTestServer: server });
};
