// @ts-check
// The service with the tools of the conformance suite in addition to its own: node fixture-server.mjs HOME
import { readFileSync } from 'node:fs';
import { resolveSettings } from '@svc/settings';
import { homeAt, prepareHome } from '../dist/home.js';
import { createLogger } from '../dist/log.js';
import { startService } from '../dist/serve.js';
import { withFixtureTools } from './fixture-tools.mjs';

const home = homeAt(process.argv[2] ?? '', null);
const resolved = resolveSettings({
  flags: { 'server.port': '0' },
  env: {},
  file: readFileSync(home.config, 'utf8'),
});
if (!resolved.ok) throw new Error(JSON.stringify(resolved.issues));
await prepareHome(home);
await startService({
  home,
  settings: resolved.settings,
  logger: await createLogger(
    { level: 'info', format: 'json' },
    { colored: () => {}, isTerminal: false },
  ),
  env: process.env,
  version: '0.1.0',
  decorateToolset: withFixtureTools,
});
