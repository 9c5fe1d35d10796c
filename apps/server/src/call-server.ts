import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { type Clock, SvcError } from '@svc/core';
import { ServerError } from './errors.ts';
import {
  addressOf,
  type Peer,
  type PeerAnswer,
  type PeerRequest,
  readAnswer,
  send,
  withTimeout,
} from './http-peer.ts';
import type { InstanceFile } from './instance-file.ts';

/** Calls a server, with a value as JSON body if given. */
export type CallServer = (method: string, path: string, body?: object) => Promise<PeerAnswer>;

const ATTEMPTS = 5;
const RETRY_MS = 200;

/**
 * Creates a function that calls the running server of a home with its own secret. `read` returns its address, and null
 * once it stops.
 *
 * @throws ServerError `server_silent` if it does not respond within ten seconds, or two minutes for changes,
 * `server_unknown` if it has an unexpected certificate
 */
export function createServerCaller(
  first: InstanceFile,
  clock: Clock,
  read: () => Promise<InstanceFile | null>,
): CallServer {
  const call = async (request: PeerRequest, attempts: number): Promise<PeerAnswer> => {
    const instance = (await read()) ?? first;
    try {
      return await callOnce(clock, instance, request);
    } catch (error) {
      // There is a short time between the renewal of a certificate and its entry in the file.
      const again = error instanceof SvcError && error.code === 'server_unknown' && attempts > 1;
      if (!again) throw error;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, RETRY_MS));
      return call(request, attempts - 1);
    }
  };
  return (method, path, body) => {
    const text = body === undefined ? null : JSON.stringify(body);
    return call({ method, path, body: text }, ATTEMPTS);
  };
}

async function callOnce(
  clock: Clock,
  instance: InstanceFile,
  request: PeerRequest,
): Promise<PeerAnswer> {
  try {
    return await withTimeout(clock, request, async (signal) =>
      readAnswer(await send(peerOf(instance), request, signal)),
    );
  } catch (cause) {
    if (cause instanceof ServerError) throw cause;
    throw silent(instance.url, cause);
  }
}

/** The server of a home, which identifies its commands by its secret. */
export function peerOf({ url, secret, certificate }: InstanceFile): Peer {
  const headers = { Authorization: `Bearer ${secret}`, 'Svc-Via': 'cli' };
  if (new URL(url).protocol !== 'https:') return { url, headers };
  return { url, headers, connect: () => connectPinned(addressOf(url), certificate, url) };
}

// Names and issuers are meaningless for an address of this machine, so the exact certificate of the server is required
// before anything is sent.
function connectPinned(
  address: { readonly host: string; readonly port: number },
  pin: string | null,
  url: string,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, rejectUnauthorized: false });
    socket.on('error', (cause) => reject(silent(url, cause)));
    socket.once('secureConnect', () => {
      if (pin !== null && socket.getPeerX509Certificate()?.fingerprint256 === pin) {
        return resolve(socket);
      }
      socket.destroy();
      const message = `The server at ${url} does not present the certificate of this home.`;
      reject(new ServerError('server_unknown', message));
    });
  });
}

function silent(url: string, cause: unknown): ServerError {
  return new ServerError('server_silent', `The server at ${url} does not answer.`, { cause });
}
