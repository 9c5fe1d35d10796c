import type { Rows } from './rows.ts';

/** What svc is deployed with. */
export const DEPLOYING: Rows = {
  'deploy.unit':
    'The unit of systemd is sound, and exposes less than 1.5, for agents.user less than 3.2.',
  'deploy.unit.command':
    'The command of the unit, with its environment, runs as a user without rights and fires.',
  'deploy.unit.notify':
    'systemd learns that svc is ready once it answers, that it stops while turns end, and that it lives while its event loop turns and it accepts connections, however many are open; agents do not learn how to notify systemd.',
  'deploy.unit.agents-user':
    'With the capabilities and the umask of its unit, agents run as the user that agents.user names; a missing capability is named at the start.',
  'deploy.log.journal':
    'Each line for the journal of systemd has the priority of its level, and nothing stands between lines of JSON.',
  'deploy.container':
    'The container is built in two stages, runs as a user without rights, keeps its home on a volume, and has no runtime of a vendor.',
  'deploy.container.health': 'The container is healthy where svc is ready.',
  'deploy.compose':
    'The compose files name every volume and check the health, their settings count, and a stop may take longer than the drain time.',
  'deploy.secrets': 'Secrets beside the compose files are neither committed nor part of an image.',
  'deploy.proxy': 'The example of a proxy forwards /mcp and /.well-known/, and nothing else.',
};
