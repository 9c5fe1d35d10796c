import { join, resolve } from 'node:path';
import { type AgentUser, createTurnSandboxes, type TurnSandboxes } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import { createSandboxHost, type SandboxHost } from '@svc/sandbox';
import type { Settings } from '@svc/settings';
import type { Home } from './home.ts';

/** Dependencies of sandboxes. */
export interface SandboxParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly home: Home;
  readonly settings: Settings;
  /** The `PATH` of agents. */
  readonly path: string;
  readonly user: AgentUser | null;
}

/** Sandboxes on this machine, and for the turns of agents. */
export interface Sandboxes {
  readonly host: SandboxHost;
  readonly turns: TurnSandboxes;
}

/** Creates the sandboxes of agents; null if `agents.sandbox.mode` is `off`. */
export function createSandboxes(parts: SandboxParts): Sandboxes | null {
  const { clock, logger, home, settings, path, user } = parts;
  const { mode, bwrap, hide, readOnly, writable, ...limits } = settings.agents.sandbox;
  if (mode === 'off') return null;
  const stateFolder = join(home.data, 'sandbox');
  const { envFile, server } = settings;
  const files = [envFile, server.tls?.keyFile ?? null].flatMap((file) =>
    file === null ? [] : [resolve(home.root, file)],
  );
  const host = createSandboxHost(
    { clock, logger },
    {
      ...{ path, bwrap, node: process.execPath, stateFolder, readOnly, writable, limits, user },
      // A project folder below these is visible in its own sandbox only.
      hide: [home.root, home.projects, home.data, home.config, ...files, ...hide],
    },
  );
  const turns = createTurnSandboxes(
    { logger, host },
    { mode, homes: join(stateFolder, 'homes'), path },
  );
  return { host, turns };
}
