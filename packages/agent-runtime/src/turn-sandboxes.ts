import { join } from 'node:path';
import { type Clock, failure, type Result, success } from '@svc/core';
import { type Capability, canWrite, type SandboxState, type Slug } from '@svc/records';
import {
  createProxy,
  type NetworkProxy,
  type Sandbox,
  type SandboxHost,
  type SandboxPort,
  type SandboxSupport,
} from '@svc/sandbox';
import { PROXY_PORT, proxyVariables, SERVICE_PORT } from './proxy-variables.ts';
import { type RuntimeSandbox, TurnStop } from './runtime.ts';
import { hostsOf, type NetworkOptions, type TurnNetwork } from './turn-network.ts';

/** A turn whose processes run in a sandbox. */
export interface SandboxedTurn {
  readonly project: Slug;
  /** The project folder, absolute. */
  readonly cwd: string;
  readonly capability: Pick<Capability, 'runsAs' | 'tools' | 'permissionMode' | 'network'>;
  /** Name of the runtime. Its processes share a home folder in this project. */
  readonly runtime: string;
  /** Absolute paths of programs outside the system folders. */
  readonly programs: readonly string[];
  /** Further absolute paths that its processes may read, even if they are hidden. Default: none. */
  readonly readOnly?: readonly string[];
  /** Absolute paths to use in the home folder: `at` is relative to it. */
  readonly logins: readonly { readonly at: string; readonly from: string }[];
  /** The only way to other machines, unless the network is not limited. */
  readonly network: TurnNetwork;
  /** Further ports of 127.0.0.1 for its processes, unless the network is not limited. Default: none. */
  readonly ports?: readonly SandboxPort[];
  /** Whether it must not run without a sandbox. A list of hosts requires one in any case. Default: false. */
  readonly required?: boolean;
}

/** The sandbox of a turn. */
export interface TurnSandbox extends Pick<Sandbox, 'folder' | 'spawn'> {
  /** Aborts with a `TurnStop` if it ends before it is closed: at a limit, or unexpectedly. */
  readonly failed: AbortSignal;
  /** Variables that its processes get in addition. */
  readonly env: Readonly<Record<string, string>>;
  /** `none` if it shares the network of this machine, so that its connections are neither limited nor recorded. */
  readonly state: SandboxState;
  /** Kills its processes. Resolves when they have exited. */
  close(): Promise<void>;
}

/** Opens sandboxes for turns, as far as the settings require and this machine allows it. */
export interface TurnSandboxes {
  /** Which hosts turns may connect to, with or without a sandbox. */
  readonly network: NetworkOptions;
  /** The sandbox as shown to people and agents; null if this machine could not run one at the start. */
  readonly shown: RuntimeSandbox | null;
  /** Whether every turn with a list of hosts can be limited to it. */
  readonly limitsNetwork: boolean;
  /** `auto`: turns run without a sandbox where there is none. `required`: they fail there. `off`: none is opened. */
  readonly mode: 'auto' | 'required' | 'off';
  /** Opens the sandbox of a turn; null if it runs without one. The error is one sentence. */
  open(turn: SandboxedTurn): Promise<Result<TurnSandbox | null, string>>;
}

/** A port of a sandbox that is served by the service. */
export interface ServicePort extends SandboxPort {
  /** Serves its connections from now on. Earlier ones were closed. */
  serve(accept: SandboxPort['accept']): void;
}

/** Creates the port of a turn that closes all connections until it is served. */
export function createServicePort(): ServicePort {
  let serving: SandboxPort['accept'] = (socket) => socket.destroy();
  return {
    port: SERVICE_PORT,
    accept: (socket) => serving(socket),
    serve(accept) {
      serving = accept;
    },
  };
}

/** Options of sandboxes for turns. */
export interface TurnSandboxOptions {
  readonly mode: TurnSandboxes['mode'];
  /** The folder that stores the home folders of agents. */
  readonly homes: string;
  /** The `PATH` of turns. */
  readonly path: string;
  /** Which hosts turns may connect to. */
  readonly network: NetworkOptions;
  /** Whether processes share the network of this machine, without limits. */
  readonly sharesNetwork: boolean;
  /** Whether this machine can run sandboxes, as far as known. */
  readonly isSupported: boolean;
}

/** Dependencies of sandboxes for turns. */
export interface TurnSandboxDeps {
  readonly clock: Clock;
  readonly host: SandboxHost;
}

const PROTECTED = ['project.yaml', '.claude'];
const OFF: SandboxSupport = {
  supported: false,
  reason: 'Sandboxes are off.',
  fix: 'Set agents.sandbox.mode to auto.',
};

/** Creates the sandboxes of turns from a host of sandboxes. */
export function createTurnSandboxes(
  deps: TurnSandboxDeps,
  options: TurnSandboxOptions,
): TurnSandboxes {
  const { host } = deps;
  const { mode, network, sharesNetwork } = options;
  const isUsed = mode !== 'off' && options.isSupported;
  const support = async (): Promise<SandboxSupport> => (mode === 'off' ? OFF : host.support());
  return {
    ...{ mode, network, limitsNetwork: isUsed && !sharesNetwork },
    shown: isUsed
      ? { hostsOf: (capability) => (sharesNetwork ? null : hostsOf(capability, network)) }
      : null,
    async open(turn) {
      const needed = needOf(turn, options);
      const found = await support();
      if (!found.supported) {
        const { reason, fix } = found;
        if (needed !== null) return failure(`${needed} ${reason} ${fix}`);
        return success(null);
      }
      if (turn.capability.network !== undefined && sharesNetwork) {
        return failure(
          `${HOSTS_NEED} The network of agents is unrestricted (agents.sandbox.network).`,
        );
      }
      return openSandbox(deps, options, turn);
    },
  };
}

const HOSTS_NEED = 'The list of hosts of this turn needs a sandbox with a limited network.';

function needOf(
  { capability, required = false }: SandboxedTurn,
  { mode }: TurnSandboxOptions,
): string | null {
  if (capability.network !== undefined) return HOSTS_NEED;
  if (required) return 'The tools of this turn can only be limited in a sandbox.';
  return mode === 'required' ? 'Sandboxes are required (agents.sandbox.mode).' : null;
}

async function openSandbox(
  { host, clock }: TurnSandboxDeps,
  { homes, path, sharesNetwork }: TurnSandboxOptions,
  turn: SandboxedTurn,
): Promise<Result<TurnSandbox | null, string>> {
  const { project, cwd, capability, runtime, programs, logins, network, ports = [] } = turn;
  const proxy = createProxy({ outbound: network.outbound, clock });
  const opened = await host.open({
    folder: cwd,
    writable: mayWrite(capability),
    protectedPaths: capability.runsAs === 'keeper' ? PROTECTED : [...PROTECTED, '.svc'],
    home: join(homes, project, runtime),
    homeLinks: logins,
    path,
    programs,
    ...(turn.readOnly && { readOnly: turn.readOnly }),
    network: sharesNetwork ? 'host' : [...portsOf(proxy, network), ...ports],
  });
  if (!opened.ok) return opened;
  const { folder, home, spawn, ended, close } = opened.value;
  const failing = new AbortController();
  void ended.then((reason) => failing.abort(new TurnStop('failed', reason)));
  return success({
    ...{ folder, spawn, failed: failing.signal, state: sharesNetwork ? 'none' : 'enforced' },
    env: { HOME: home, ...(sharesNetwork ? {} : proxyVariables(process.execPath)) },
    async close() {
      await close();
      proxy.close();
    },
  });
}

function portsOf(proxy: NetworkProxy, { localPorts }: TurnNetwork): readonly SandboxPort[] {
  const forwarded = localPorts
    .filter((port) => port !== PROXY_PORT)
    .map((port) => ({
      port,
      accept: (socket: Parameters<SandboxPort['accept']>[0]) =>
        proxy.forward(socket, '127.0.0.1', port),
    }));
  return [{ port: PROXY_PORT, accept: (socket) => proxy.accept(socket) }, ...forwarded];
}

// The keeper of a command that knows no tools may do everything.
function mayWrite({ runsAs, tools, permissionMode }: SandboxedTurn['capability']): boolean {
  return permissionMode !== 'plan' && (runsAs === 'keeper' || canWrite(tools));
}
