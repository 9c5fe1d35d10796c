import { dirname } from 'node:path';
import {
  createServicePort,
  createTurnNetwork,
  hostListsOf,
  type ServicePort,
  type TurnNetwork,
  type TurnSandbox,
} from '@svc/agent-runtime';
import { type Result, success } from '@svc/core';
import type { RuntimeState } from './adapters/runtime-state.ts';
import type { TurnParts } from './turn-parts.ts';

const CONFIG = '.claude-svc';

/** The sandbox of a turn, if there is one, and what the turn uses because of it. */
export interface OpenedSandbox {
  readonly sandbox: TurnSandbox | null;
  readonly network: TurnNetwork;
  /** The port for the relay; null: one of this machine. */
  readonly relayPort: ServicePort | null;
  /** The state with the sessions that the agent program can see. */
  readonly state: RuntimeState;
}

/** The folder for settings and sessions of the agent program, as it is called in its sandbox. */
export function configFolderIn({ env }: Pick<TurnSandbox, 'env'>): string {
  return `${env['HOME']}/${CONFIG}`;
}

/** Opens the sandbox of a turn, as far as the settings require and this machine allows it. The error is one sentence. */
export async function openTurnSandbox(
  {
    deps,
    sandboxes,
    state,
    spec,
    found,
  }: Pick<TurnParts, 'deps' | 'sandboxes' | 'state' | 'spec' | 'found'>,
  cwd: string,
): Promise<Result<OpenedSandbox, string>> {
  const { project, capability } = spec;
  const network = createTurnNetwork(
    { clock: deps.clock },
    hostListsOf(capability, sandboxes?.network ?? {}),
  );
  if (sandboxes === null) return success({ sandbox: null, network, relayPort: null, state });
  const own = state.ofProject(project, cwd);
  const relayPort = createServicePort();
  const opened = await sandboxes.open({
    ...{ project, cwd, capability, runtime: 'claude', programs: [], network },
    readOnly: [dirname(found.program)],
    logins: [{ at: CONFIG, from: await own.config() }],
    ports: [relayPort],
  });
  if (!opened.ok) return opened;
  const sandbox = opened.value;
  const isEnforced = sandbox?.state === 'enforced';
  return success({
    ...{ sandbox, network, relayPort: isEnforced ? relayPort : null },
    state: sandbox === null ? state : own,
  });
}
