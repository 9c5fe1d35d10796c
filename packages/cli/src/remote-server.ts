import { type Clock, messageOf, ownValue } from '@svc/core';
import type { Environment, Server } from './context.ts';
import { createPeerFetch, NotJsonError, type Peer } from './peer.ts';
import { CommandError, UsageError } from './terminal.ts';

const REF = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function remotePeer(url: string, ref: string | null, env: Environment): Peer {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) {
    // The value is not repeated, because it may contain a password.
    throw new UsageError('--url must be a URL such as https://svc.example.com.');
  }
  const { username, password, search, hash } = address;
  if (`${username}${password}${search}${hash}` !== '') {
    throw new UsageError(
      '--url must not contain credentials. Give the token with --token env:NAME.',
    );
  }
  const token = ref === null ? null : tokenFrom(ref, env);
  if (token !== null && address.protocol === 'http:' && !LOOPBACK.test(address.hostname)) {
    throw new CommandError(
      `The token would be sent to ${address.host} unencrypted. Use an https URL.`,
    );
  }
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  return { url: address.href, headers: { ...headers, 'Svc-Via': 'cli' } };
}

function tokenFrom(ref: string, env: Environment): string {
  const name = REF.exec(ref)?.[1];
  // The value is not repeated, because it may be the token itself.
  if (name === undefined) {
    throw new UsageError('--token takes the variable that holds the token: --token env:NAME.');
  }
  const token = ownValue(env, name)?.trim() ?? '';
  if (token === '') throw new CommandError(`--token names the variable ${name}, which is not set.`);
  return token;
}

/**
 * The server at a remote address. Errors of its requests are full sentences.
 *
 * @param url http or https address
 * @param ref reference to its token, `env:NAME`; null: no token
 * @throws UsageError if the address or the reference is invalid
 * @throws CommandError if the variable is not set, or the token would be sent unencrypted
 */
export function remoteServer(
  url: string,
  ref: string | null,
  { env, clock }: { readonly env: Environment; readonly clock: Clock },
): Server {
  const peer = remotePeer(url, ref, env);
  const fetch = createPeerFetch(
    clock,
    async () => peer,
    (_, cause) =>
      new CommandError(
        cause instanceof NotJsonError
          ? `${peer.url} is not an svc server: it answered ${cause.status}.`
          : `${peer.url} cannot be reached: ${causeOf(cause)}.`,
      ),
  );
  return {
    url: peer.url,
    async fetch(request) {
      const response = await fetch(request);
      if (response.status === 401) throw new CommandError(signInText(peer));
      return response;
    },
  };
}

function signInText({ url, headers }: Peer): string {
  return 'Authorization' in headers
    ? `${url} rejected this token. Pass a valid token with --token env:NAME.`
    : `${url} requires authentication. Pass an access token with --token env:NAME.`;
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'the request timed out',
  ABORT_ERR: 'the request timed out',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed; set NODE_EXTRA_CA_CERTS to the file of its CA',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an unknown CA; set NODE_EXTRA_CA_CERTS to the file of that CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is signed by an unknown CA; set NODE_EXTRA_CA_CERTS to the file of that CA',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

function causeOf(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  return CAUSES[code] ?? messageOf(error).replace(/[.\s]+$/, '');
}
