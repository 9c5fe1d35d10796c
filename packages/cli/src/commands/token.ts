import type { Command } from '../command.ts';

/** Creates a token for a client of /mcp, or checks the clients. */
export const token: Command = {
  name: 'token',
  group: 'Set up',
  summary: 'create a token for a client of /mcp, or check the clients',
  usage: ['new CLIENT', 'check'],
  overview: 'new CLIENT | check',
  arguments: { ACTION: ['new', 'check'], '[CLIENT...]': null },
  takes: 'new or check: svc token new ci, svc token check.',
  description: `
Create a token for a client of /mcp (new), or check the clients (check).

new prints three lines: the token, the line that sets its variable (for the environment of svc serve or for
envFile), and the line that configures the client (for managementApi.clients in svc.config.yaml). Nothing is stored.

check shows for each client whether its token is set and bound to this instance, and which operations and projects it may use.
It reads the same configuration as svc serve and prints no token. Exit code 1 unless every client is usable and /mcp is enabled.

  svc token new ci
  svc token check`,
  json: `new { "clientId", "token", "variable", "client" }; check { "enabled", "clients": [{ clientId, usable,
standing, details }], "remarks" }.`,
  // Loaded on demand, because it brings the operations.
  async run(context) {
    const [action, ...names] = context.arguments;
    if (action === 'new') return (await import('../token/new.ts')).newToken(context, names);
    return (await import('../token/check.ts')).checkTokens(context, names);
  },
};
