const arrows = {
  core: [],
  recurrence: [],
  records: ['core'],
  'browser-auth': ['core'],
  'mgmt-auth': ['core'],
  'trigger-schema': ['core', 'recurrence', 'records'],
  scheduler: ['core', 'recurrence', 'records'],
  store: ['core', 'records'],
  'agent-runtime': ['core', 'records'],
  projects: ['core', 'records', 'trigger-schema'],
  ops: [
    'core',
    'recurrence',
    'records',
    'trigger-schema',
    'scheduler',
    'store',
    'agent-runtime',
    'projects',
  ],
  'rest-surface': ['core', 'records', 'browser-auth', 'trigger-schema', 'ops'],
};
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'packages-never-import-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'front-door-only',
      severity: 'error',
      comment: 'other packages are imported through src/index.ts',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/src/',
        pathNot: ['^$1/$2/', '^packages/[^/]+/src/(index|testing|contract|record)\\.ts$'],
      },
    },
    ...Object.entries(arrows).map(([name, allowed]) => ({
      name: `arrows-of-${name}`,
      severity: 'error',
      from: { path: `^packages/${name}/src/` },
      to: { path: '^packages/', pathNot: [name, ...allowed].map((n) => `^packages/${n}/`) },
    })),
    {
      name: 'pure-packages-do-no-io',
      severity: 'error',
      from: { path: '^packages/(recurrence|records|trigger-schema)/src/' },
      to: { path: '^(node:)?(fs|net|http|https|child_process|timers)(/|$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@svc/source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
