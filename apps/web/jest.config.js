import preset from '../../jest.preset.js';

const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
  sourceMaps: 'inline',
};

export default {
  ...preset,
  testEnvironment: '<rootDir>/test/environment.cjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  setupFiles: ['<rootDir>/test/browser-gaps.cjs'],
  moduleNameMapper: { '\\.css$': '<rootDir>/test/css-names.cjs' },
  transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', swc] },
  // ESM-only libraries; they matter when jest runs without --experimental-vm-modules.
  transformIgnorePatterns: ['/node_modules/(?!.*(@base-ui|@tanstack|openapi-fetch)/)'],
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'browser'] },
  testMatch: ['<rootDir>/test/**/*.test.{ts,tsx}'],
};
