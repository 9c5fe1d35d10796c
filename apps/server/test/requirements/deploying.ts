import type { Rows } from './rows.ts';

/** Files for deployment. */
export const DEPLOYING: Rows = {
  'deploy.unit':
    'The systemd unit is valid, and its exposure is below 2.9, for agents.user below 4.6.',
  'deploy.unit.command':
    'The command of the unit, with its environment, runs as an unprivileged user and fires.',
  'deploy.unit.notify':
    'svc notifies systemd when it is ready, while it stops, and that it is alive while its event loop runs and it accepts connections; agents cannot notify systemd.',
  'deploy.unit.agents-user':
    'With the capabilities and umask of its unit, agents run as the user in agents.user; a missing capability is named at start.',
  'deploy.unit.sandbox':
    'The unit and its drop-in for agents.user restrict nothing that sandboxes need, and delegate memory and pids.',
  'deploy.log.journal':
    'Each line for the systemd journal has the priority of its level, and JSON logs contain only JSON lines.',
  'deploy.container':
    'The container is built in two stages, runs as an unprivileged user, keeps its home on a volume, and contains no vendor runtime.',
  'deploy.container.health': 'The container is healthy if svc is ready.',
  'deploy.compose':
    'The compose files name every volume and check the health, their settings apply, and their stop period exceeds the drain timeout.',
  'deploy.compose.sandbox':
    'The compose file for sandboxes adds a profile that allows the system calls of a sandbox, but no others for administration.',
  'deploy.secrets': 'Secrets beside the compose files are neither committed nor part of an image.',
  'deploy.proxy': 'The example proxy forwards /mcp and /.well-known/, and nothing else.',
};
