import type { Rows } from './rows.ts';

/** What svc is deployed with. */
export const DEPLOYING: Rows = {
  'deploy.unit': 'The unit of systemd is sound, and exposes less than 3.0, also for agents.user.',
  'deploy.unit.command':
    'The command of the unit, with its environment, runs as a user without rights and fires.',
  'deploy.container':
    'The container is built in two stages, runs as a user without rights, keeps its home on a volume, and has no runtime of a vendor.',
  'deploy.container.health': 'The container is healthy where svc is ready.',
  'deploy.compose': 'The compose files name every volume, and their settings count.',
  'deploy.proxy': 'The example of a proxy forwards /mcp and /.well-known/, and nothing else.',
};
