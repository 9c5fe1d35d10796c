import { isAddress, isPublicAddress } from './address.ts';
import { entryMatches, type HostEntry, type HostList } from './host-list.ts';
import { authorityOf, isLocalhost, isPort, normalizeHost, printableHost } from './host-name.ts';

/** Whether a connection is allowed, before its host is resolved. */
export type NetworkDecision =
  | {
      readonly allowed: true;
      /** Whether every list names exactly this address. Only then it may be one that is not public. */
      readonly literal: boolean;
      /** The normalized host, an IPv6 address without brackets. */
      readonly host: string;
    }
  | {
      readonly allowed: false;
      /** The normalized host; without unprintable characters if it is invalid. */
      readonly host: string;
      /** What is refused and how to allow it, one line. */
      readonly reason: string;
    };

/** Decides which hosts may be connected to. */
export interface NetworkPolicy {
  /**
   * Decides about a connection.
   *
   * @param host A name or an address in any spelling, an IPv6 address with or without brackets.
   */
  check(host: string, port: number): NetworkDecision;
}

/**
 * Creates a policy that allows what every list allows, and nothing without a list. Addresses that are not public must be
 * named by every list. Localhost is never allowed by name.
 *
 * @param always Hosts that are allowed whatever the lists say. Default: none.
 */
export function createNetworkPolicy(
  lists: readonly HostList[],
  always: HostList = { entries: [] },
): NetworkPolicy {
  return {
    check(written, port) {
      const host = normalizeHost(written);
      if (host === null || !isPort(port)) return refuse(printableHost(written), 'is not a host.');
      if (isLocalhost(host)) {
        return refuse(host, 'is never allowed by name. Use its address, and allow this address.');
      }
      const decisions = [lists, [always]].map((all) => decide(all, host, port));
      return decisions.find(({ allowed }) => allowed) ?? (decisions[0] as NetworkDecision);
    },
  };
}

function decide(lists: readonly HostList[], host: string, port: number): NetworkDecision {
  const target = authorityOf(host, port);
  const lacking = (kinds: readonly HostEntry['kind'][]): readonly HostList[] =>
    lists.filter(
      ({ entries }) =>
        !entries.some((entry) => kinds.includes(entry.kind) && entryMatches(entry, host, port)),
    );
  const isPublic = !isAddress(host) || isPublicAddress(host);
  const unnamed = lacking(['address']);
  const missing = isPublic ? lacking(EVERY_KIND) : unnamed;
  if (lists.length > 0 && missing.length === 0) {
    return { allowed: true, literal: unnamed.length === 0, host };
  }
  const what = isPublic ? 'is not an allowed host.' : 'is not a public address.';
  return refuse(host, `${what} ${addition(target, missing)}`, target);
}

const EVERY_KIND: readonly HostEntry['kind'][] = ['all', 'name', 'subdomains', 'address'];

function addition(target: string, lists: readonly HostList[]): string {
  const names = lists.map(({ name }) => name ?? 'the allowed hosts');
  return `Add ${target} to ${names.join(' and ') || 'the allowed hosts'}.`;
}

function refuse(host: string, what: string, subject = host): NetworkDecision {
  return { allowed: false, host, reason: `${subject} ${what}` };
}
