import preset from '../../jest.preset.js';

// Real sandboxes, which need bubblewrap.
export default {
  ...preset,
  testMatch: ['<rootDir>/test-deep/**/*.test.ts'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
