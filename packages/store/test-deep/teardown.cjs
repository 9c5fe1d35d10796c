// @ts-check
const clean = require('../../../jest.clean.cjs');

module.exports = async () => {
  clean();
  await Reflect.get(globalThis, 'storeTestServer')?.close();
};
