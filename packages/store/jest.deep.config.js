import preset from '../../jest.preset.js';

// What a store promises whatever its database is: the same files run over SQLite with `npm test`.
const CONTRACT = [
  'ahead',
  'alerts',
  'change-pruning',
  'claims',
  'database-clock',
  'history',
  'nodes',
  'shared-queue',
  'pruned-streak',
  'retention',
  'sessions',
  'turn-messages',
  'turns',
  'usage',
];

export default {
  ...preset,
  testMatch: [
    '<rootDir>/test-deep/**/*.test.ts',
    ...CONTRACT.map((name) => `<rootDir>/test/${name}.test.ts`),
  ],
  globalSetup: '<rootDir>/test-deep/setup.cjs',
  globalTeardown: '<rootDir>/test-deep/teardown.cjs',
  testTimeout: 240_000,
  maxWorkers: 1,
};
