import type { Capability, RunNetwork, SandboxState } from '@svc/records';
import {
  createNetworkPolicy,
  createOutbound,
  entryText,
  type HostList,
  intersectHosts,
  type Outbound,
  type OutboundDeps,
  validHosts,
} from '@svc/sandbox';

/** The connections of one turn. */
export interface TurnNetwork {
  /** Opens and records them. */
  readonly outbound: Outbound;
  /** Ports of 127.0.0.1 on this machine that its processes reach under the same number. */
  readonly localPorts: readonly number[];
}

/** Which hosts the turns of this instance may connect to. */
export interface NetworkOptions {
  /** The limit for every turn. Default: every public host. */
  readonly hosts?: HostList;
}

const EVERY_HOST: HostList = { entries: [{ kind: 'all', host: '', port: null }] };
const LOOPBACK = '127.0.0.1';

/** Creates the network of a turn. It allows what all lists allow, and the hosts of `always`. */
export function createTurnNetwork(
  deps: OutboundDeps,
  lists: readonly HostList[],
  always: HostList = { entries: [] },
): TurnNetwork {
  const policy = createNetworkPolicy(lists, always);
  const named = [...lists, always].flatMap(({ entries }) =>
    entries.flatMap(({ host, port }) => (host === LOOPBACK && port !== null ? [port] : [])),
  );
  return {
    outbound: createOutbound(deps, policy),
    localPorts: [...new Set(named)].filter((port) => policy.check(LOOPBACK, port).allowed),
  };
}

/** The lists of hosts of a turn: that of the instance, and that of its capability if it has one. */
export function hostListsOf(
  { network }: Pick<Capability, 'network'>,
  { hosts = EVERY_HOST }: NetworkOptions,
): readonly HostList[] {
  return network === undefined
    ? [hosts]
    : [hosts, { ...validHosts(network), name: 'run.network, or network of the project' }];
}

/** The hosts that a turn may connect to, as entries of a list. */
export function hostsOf(
  { network }: Pick<Capability, 'network'>,
  { hosts = EVERY_HOST }: NetworkOptions,
): readonly string[] {
  const ceiling = hosts.entries.map(entryText);
  return network === undefined ? ceiling : intersectHosts(ceiling, network);
}

/**
 * The record of a turn; null if it is not complete, or if there is nothing to record.
 *
 * @param sandbox `none` if processes had another way to connect; null if there were none.
 */
export function recordOf(
  { outbound }: TurnNetwork,
  sandbox: SandboxState | null,
): RunNetwork | null {
  const record = outbound.record();
  const { reached, refused } = record;
  const isEmpty = reached.length + refused.length === 0;
  return sandbox === 'none' || (sandbox === null && isEmpty)
    ? null
    : { ...record, reached: [...reached], refused: [...refused] };
}
