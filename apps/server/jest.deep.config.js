import preset from '../../jest.preset.js';

export default { ...preset, testMatch: ['<rootDir>/test-deep/**/*.test.ts'] };
