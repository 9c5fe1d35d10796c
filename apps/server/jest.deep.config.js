import preset from '../../jest.preset.js';

// Two at a time: many of these tests wait for real time, for example for a lease to expire.
export default { ...preset, testMatch: ['<rootDir>/test-deep/**/*.test.ts'], maxWorkers: 2 };
