// @ts-check
// The service with one fault of `plants.mjs`: node planted-server.mjs HOME PLANT

import { resolveSettings } from '@svc/settings';
import { homeAt, prepareHome, readConfigFile } from '../dist/home.js';
import { createLogger } from '../dist/log.js';
import { startService } from '../dist/serve.js';
import { PLANTS } from './plants.mjs';

const [home = '', name = ''] = process.argv.slice(2);
const plant = PLANTS[name];
if (plant === undefined)
  throw new Error(`There is no ${name}. Known: ${Object.keys(PLANTS).join(', ')}.`);

const place = homeAt(home, null);
const resolved = resolveSettings({
  flags: { 'server.port': '0' },
  env: {},
  file: await readConfigFile(place),
});
if (!resolved.ok) throw new Error('bad settings');
const out = () => {};
const logger = await createLogger({ level: 'info', format: 'json' }, { out, isTerminal: false });
await prepareHome(place);
plant.prepare?.(place.database);
const service = await startService({
  home: place,
  settings: resolved.settings,
  logger,
  env: process.env,
  version: '0.1.0',
  ...(plant.decorate === undefined ? {} : { decorateStore: plant.decorate }),
});
process.once('SIGTERM', async () => {
  await service.stop();
  process.exit(0);
});
