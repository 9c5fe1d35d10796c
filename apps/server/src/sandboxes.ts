import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AgentUser,
  createTurnSandboxes,
  type NetworkOptions,
  type TurnSandboxes,
} from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import type { SandboxLack } from '@svc/ops';
import { createSandboxHost, type SandboxHost, type SandboxSupport, validHosts } from '@svc/sandbox';
import type { Settings } from '@svc/settings';
import type { Home } from './home.ts';

const UNRESTRICTED = 'unrestricted';

/** Dependencies of sandboxes. */
export interface SandboxParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly home: Home;
  readonly settings: Settings;
  /** The `PATH` of agents. */
  readonly path: string;
  readonly user: AgentUser | null;
  /** An absolute folder that only this process writes to. Default: in the data folder. */
  readonly stateFolder?: string;
}

/** Sandboxes on this machine, and for the turns of agents. */
export interface Sandboxes {
  readonly host: SandboxHost;
  /** Whether this machine can run them; without a check if `agents.sandbox.mode` is `off`. */
  readonly support: SandboxSupport | null;
  readonly turns: TurnSandboxes;
  /** Why agents do not run in a sandbox with a limited network; null if they do. */
  readonly lack: SandboxLack | null;
}

/** Creates the sandboxes of agents, and checks whether this machine can run them. */
export async function openSandboxes(parts: SandboxParts): Promise<Sandboxes> {
  const { clock, logger, home, settings, path, user } = parts;
  const { mode, network, bwrap, hide, readOnly, writable, ...limits } = settings.agents.sandbox;
  const { stateFolder = join(home.data, 'sandbox') } = parts;
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
  const isFirst = !existsSync(stateFolder);
  const support = mode === 'off' ? null : await host.support();
  const lack = lackOf(settings.agents.sandbox, support);
  if (lack !== null) logLack(logger, mode, lack);
  else if (isFirst) {
    logger.info({ ...CHANGES, hosts: network }, 'agents run in a sandbox from now on');
  }
  const turns = createTurnSandboxes(
    { clock, host },
    {
      ...{ mode, path, homes: join(stateFolder, 'homes'), network: networkOptions(network) },
      sharesNetwork: network === UNRESTRICTED,
      isSupported: support?.supported ?? false,
    },
  );
  return { host, support, turns, lack };
}

// Explains the change once to users of earlier versions.
const CHANGES = {
  files: 'They can read the system and change their project folder and a home folder of their own.',
  network: 'They connect through a proxy of svc, to the hosts in agents.sandbox.network.',
  undo: 'agents.sandbox.mode: off',
  guide: 'docs/security.md',
};

const INTENDED = { intended: true, required: false };

function lackOf(
  { mode, network }: Settings['agents']['sandbox'],
  support: SandboxSupport | null,
): SandboxLack | null {
  if (mode === 'off') {
    return { reason: 'Sandboxes are off (agents.sandbox.mode).', ...INTENDED };
  }
  if (support?.supported === false) {
    const reason = `${support.reason} ${support.fix}`;
    return { reason, intended: false, required: mode === 'required' };
  }
  return network === UNRESTRICTED
    ? { reason: 'Their network is not limited (agents.sandbox.network).', ...INTENDED }
    : null;
}

/** Logs that agents have no sandbox. A sandbox whose network is not limited is not reported. */
function logLack(
  logger: Logger,
  mode: Settings['agents']['sandbox']['mode'],
  { reason, intended, required }: SandboxLack,
): void {
  if (required) logger.error({ reason }, 'sandboxes are required but not available');
  else if (!intended) logger.warn({ reason }, 'agents run without a sandbox');
  else if (mode === 'off') logger.info({ reason }, 'agents run without a sandbox');
}

type NetworkSetting = Settings['agents']['sandbox']['network'];

/** The list of hosts of the instance. Without a limit, WebFetch may connect to all public hosts. */
function networkOptions(network: NetworkSetting): NetworkOptions {
  return { hosts: { ...validHosts(hostsOfInstance(network)), name: 'agents.sandbox.network' } };
}

/** The entries of `agents.sandbox.network`; all public hosts if it is `unrestricted`. */
export function hostsOfInstance(network: NetworkSetting): readonly string[] {
  return typeof network === 'string' ? ['*'] : network;
}

/** Whether turns run in sandboxes with a limited network, if the machine can run sandboxes. */
export function limitsNetwork({ mode, network }: Settings['agents']['sandbox']): boolean {
  return mode !== 'off' && network !== UNRESTRICTED;
}
