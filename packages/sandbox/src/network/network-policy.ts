import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import { entryMatches, type HostList } from './host-list.ts';
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
 */
export function createNetworkPolicy(lists: readonly HostList[]): NetworkPolicy {
  return {
    check(written, port) {
      const host = normalizeHost(written);
      if (host === null || !isPort(port)) return refuse(printableHost(written), 'is not a host.');
      const target = authorityOf(host, port);
      if (isLocalhost(host)) {
        return refuse(host, 'is never allowed by name. Use its address, and allow this address.');
      }
      const allowed =
        lists.length > 0 &&
        lists.every(({ entries }) => entries.some((entry) => entryMatches(entry, host, port)));
      if (!allowed) {
        return refuse(host, `is not an allowed host. Add ${target} to the allowed hosts.`, target);
      }
      const literal = lists.every(({ entries }) =>
        entries.some((entry) => entry.kind === 'address' && entryMatches(entry, host, port)),
      );
      return literal || isIP(host) === 0 || isPublicAddress(host)
        ? { allowed: true, literal, host }
        : refuse(host, `is not a public address. Add ${target} to the allowed hosts.`, target);
    },
  };
}

function refuse(host: string, what: string, subject = host): NetworkDecision {
  return { allowed: false, host, reason: `${subject} ${what}` };
}
