import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { type Address, createPeerFetch, type Fetch, type Peer } from '@svc/cli';
import { type Clock, SvcError } from '@svc/core';
import { ServerError } from './errors.ts';
import type { InstanceFile } from './instance-file.ts';

const ATTEMPTS = 5;
const RETRY_MS = 200;

/**
 * Creates a function like `fetch` for the running server of a home, which it identifies itself to with the secret of the
 * home. `read` returns its address, and null once it stops.
 *
 * @throws ServerError `server_silent` if it does not respond within ten seconds, or two minutes for changes,
 * `server_unknown` if it has an unexpected certificate
 */
export function createHomeFetch(
  first: InstanceFile,
  clock: Clock,
  read: () => Promise<InstanceFile | null>,
): Fetch {
  const send = createPeerFetch(
    clock,
    async () => peerOf((await read()) ?? first),
    ({ url }, cause) => (cause instanceof ServerError ? cause : silent(url, cause)),
  );
  const attempt = async (request: Request, attempts: number): Promise<Response> => {
    try {
      return await send(request.clone());
    } catch (error) {
      // There is a short time between the renewal of a certificate and its entry in the file.
      const again = error instanceof SvcError && error.code === 'server_unknown' && attempts > 1;
      if (!again) throw error;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, RETRY_MS));
      return attempt(request, attempts - 1);
    }
  };
  return (request) => attempt(request, ATTEMPTS);
}

/** The server of a home, which identifies its commands by its secret. */
export function peerOf({ url, secret, certificate }: InstanceFile): Peer {
  const headers = { authorization: `Bearer ${secret}`, 'svc-via': 'cli' };
  if (new URL(url).protocol !== 'https:') return { url, headers };
  return { url, headers, connect: (address) => connectPinned(address, certificate, url) };
}

// Names and issuers are meaningless for an address of this machine, so the exact certificate of the server is required
// before anything is sent.
function connectPinned(address: Address, pin: string | null, url: string): Promise<Duplex> {
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
