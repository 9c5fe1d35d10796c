import { type Clock, messageOf } from '@svc/core';
import type { CallServer } from './call-server.ts';
import { type Peer, readAnswer, send, withTimeout } from './http-peer.ts';
import type { Environment } from './instance.ts';
import { CommandError, UsageError } from './terminal.ts';

const REF = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A server at a remote address.
 *
 * @param url http or https address
 * @param ref reference to its token, `env:NAME`; null: no token
 * @throws UsageError if the address or the reference is invalid
 * @throws CommandError if the variable is not set, or the token would be sent unencrypted
 */
export function remotePeer(url: string, ref: string | null, env: Environment): Peer {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) {
    // The value is not repeated, because it may contain a password.
    throw new UsageError('--url must be a URL such as https://svc.example.com.');
  }
  if (
    address.username !== '' ||
    address.password !== '' ||
    address.search !== '' ||
    address.hash !== ''
  ) {
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
  const token = env[name]?.trim() ?? '';
  if (token === '') throw new CommandError(`--token names the variable ${name}, which is not set.`);
  return token;
}

/** Creates a function that calls a remote server. Errors are full sentences. */
export function createRemoteCaller(peer: Peer, clock: Clock): CallServer {
  return (method, path, body) => {
    const request = { method, path, body: body === undefined ? null : JSON.stringify(body) };
    return withTimeout(clock, request, async (signal) => {
      const incoming = await send(peer, request, signal).catch((error: unknown) => {
        throw new CommandError(`${peer.url} cannot be reached: ${causeOf(error)}.`);
      });
      if (incoming.statusCode === 401) throw new CommandError(signInText(peer));
      return readAnswer(incoming).catch(() => {
        const status = incoming.statusCode;
        throw new CommandError(`${peer.url} is not an svc server: it answered ${status}.`);
      });
    });
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
