import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type Clock, failure, messageOf, type Result, success } from '@svc/core';
import { isPublicAddress } from './address.ts';
import { type ConnectionRecord, createConnectionCounter } from './connection-record.ts';
import { normalizeHost, printableHost } from './host-name.ts';
import { createHostResolver, type ResolveHost } from './host-resolver.ts';
import type { NetworkPolicy } from './network-policy.ts';
import { createNetworkTables } from './network-tables.ts';
import { type NetworkTables, ownAddressTest } from './own-networks.ts';

/** Dependencies of outbound connections. */
export interface OutboundDeps {
  readonly clock: Clock;
  /** Finds all addresses of a host name. Default: by the hosts file and the name servers of the system. */
  readonly resolveHost?: ResolveHost;
  /** The network tables of this machine. Default: those of the system. */
  readonly network?: NetworkTables;
  /** Starts a TCP connection to an address. Default: with half-open connections allowed. */
  readonly connect?: (address: string, port: number) => Socket;
}

/** Why there is no connection: the policy does not allow it, or it could not be established. */
export interface OutboundFault {
  readonly kind: 'refused' | 'failed';
  /** Error code of the system or the resolver, such as `ECONNREFUSED`; `ETIMEDOUT` if the time is over. */
  readonly code?: string;
  /** What happened, for which host, and what to do about it, one line. */
  readonly reason: string;
}

/** Opens connections that a policy allows. */
export interface Outbound {
  /**
   * Opens a TCP connection. Errors of an open socket are not thrown: its `close` event follows.
   *
   * @param host A name or an address in any spelling.
   * @param signal Ends the attempt, not the connection.
   */
  open(host: string, port: number, signal: AbortSignal): Promise<Result<Socket, OutboundFault>>;
  /** Adds a connection that was made elsewhere to the record. `reason` is null unless it was refused. */
  note(host: string, port: number, reason: string | null): void;
  /** The connections so far. Connections that failed are not listed. */
  record(): ConnectionRecord;
}

type Opened = Result<Socket, OutboundFault>;

const WITHIN_MS = 10_000;
const TOO_LATE = `no answer within ${WITHIN_MS / 1000} s`;

/**
 * Creates outbound connections under a policy. A name is resolved once, after the policy allowed it. All its addresses
 * must be public and belong to other machines, and only these addresses are connected to, in turn.
 */
export function createOutbound(deps: OutboundDeps, policy: NetworkPolicy): Outbound {
  const counter = createConnectionCounter();
  return {
    async open(written, port, signal) {
      const decision = policy.check(written, port);
      const { host } = decision;
      const opened = decision.allowed
        ? await openAllowed(deps, { host, port, literal: decision.literal }, signal)
        : failure<OutboundFault>({ kind: 'refused', reason: decision.reason });
      if (opened.ok) counter.note(host, port, null, opened.value);
      else if (opened.error.kind === 'refused') counter.note(host, port, opened.error.reason);
      return opened;
    },
    note: (host, port, reason) =>
      counter.note(normalizeHost(host) ?? printableHost(host), port, reason),
    record: counter.record,
  };
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly literal: boolean;
}

async function openAllowed(
  deps: OutboundDeps,
  target: Target,
  signal: AbortSignal,
): Promise<Opened> {
  const { host, port, literal } = target;
  const failed = (what: string, code: string | undefined): Opened =>
    failure({ kind: 'failed', reason: `${host} ${what}`, ...(code && { code }) });
  const limit = limitTime(deps.clock, signal);
  try {
    const addresses =
      isIP(host) === 0
        ? await limit.race((deps.resolveHost ?? createHostResolver())(host, limit.signal))
        : ([host] as const);
    if (addresses.length === 0) return failed('has no address.', 'ENODATA');
    const refusal = literal ? null : await limit.race(refusalOf(deps, host, addresses));
    if (refusal !== null) return failure({ kind: 'refused', reason: refusal });
    limit.end();
    const opened = await connectInTurn(deps, addresses, port, signal);
    if (opened.ok) return opened;
    return failed(`could not be reached: ${messageOf(opened.error)}.`, codeOf(opened.error));
  } catch (error) {
    return failed(`could not be resolved: ${messageOf(error)}.`, codeOf(error));
  } finally {
    limit.end();
  }
}

async function refusalOf(
  deps: OutboundDeps,
  host: string,
  addresses: readonly string[],
): Promise<string | null> {
  const local = addresses.find((address) => !isPublicAddress(address));
  if (local !== undefined) return refusal(host, local, 'not a public address');
  const own = addresses.find(await ownAddressTest(deps.network ?? createNetworkTables()));
  return own === undefined ? null : refusal(host, own, 'an address of this machine');
}

// A name does not allow its addresses, because its owner can make it resolve to any address.
function refusal(host: string, address: string, what: string): string {
  return host === address
    ? `${host} is ${what}. Add it to the allowed hosts.`
    : `${host} resolves to ${address}, which is ${what}. Connect to ${address} itself, and add it to the allowed hosts.`;
}

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error);
  return typeof code === 'string' ? code : undefined;
}

/** Returns a connected socket, or why the last address could not be connected to. */
async function connectInTurn(
  deps: OutboundDeps,
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Result<Socket, unknown>> {
  let last: unknown = null;
  for (const address of addresses) {
    const limit = limitTime(deps.clock, signal);
    const socket = (deps.connect ?? connectBySystem)(address, port);
    // The listener stays, because a later error must not end the process. The socket closes after it.
    socket.on('error', () => {});
    try {
      await limit.race(connected(socket));
      return success(socket);
    } catch (error) {
      socket.destroy();
      last = error;
      if (signal.aborted) break;
    } finally {
      limit.end();
    }
  }
  return failure(last);
}

function connectBySystem(address: string, port: number): Socket {
  return connectTcp({ host: address, port, family: isIP(address), allowHalfOpen: true });
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

interface TimeLimit {
  /** Aborted when the time is over or the signal is aborted. */
  readonly signal: AbortSignal;
  /** Settles like `work`, or rejects when the time is over or the signal is aborted. */
  race<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

function limitTime(clock: Clock, signal: AbortSignal): TimeLimit {
  const stop = new AbortController();
  const over = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  // The limit may be reached while nothing is waited for.
  over.catch(() => {});
  const onAbort = (): void => stop.abort(new Error('the connection is no longer needed'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = clock.setTimeout(
    () => stop.abort(Object.assign(new Error(TOO_LATE), { code: 'ETIMEDOUT' })),
    WITHIN_MS,
  );
  return {
    signal: stop.signal,
    race: (work) => Promise.race([work, over]),
    end() {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
