import preset from '../../jest.preset.js';

// Each turn starts a program of 200 MB, which takes seconds on a busy machine; some tests run dozens.
export default {
  ...preset,
  testMatch: ['<rootDir>/test-deep/**/*.test.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
