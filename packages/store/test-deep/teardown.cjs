// @ts-check
module.exports = async () => {
  await Reflect.get(globalThis, 'storeTestServer')?.close();
};
