// @ts-check
const { rmSync } = require('node:fs');

/** Removes what jest.build.cjs has made for this run. */
module.exports = () => {
  rmSync(process.env['SVC_TEST_BUNDLE'] ?? '', { recursive: true });
};
