import { request as requestPlain } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { type Clock, SvcError } from '@svc/core';
import { ServerError } from './errors.ts';
import type { InstanceFile } from './instance-file.ts';

/** An answer of the running server. */
interface ServerAnswer {
  readonly status: number;
  /** The JSON of its body. */
  readonly body: unknown;
}

/** Calls one server, with a value as the JSON body where one is given. */
export type CallServer = (method: string, path: string, body?: object) => Promise<ServerAnswer>;

interface ServerRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
}

const ATTEMPTS = 5;
const AGAIN_MS = 200;
// Trying alerts may take half a minute; what is silent for longer than this hangs.
const SILENT_MS = 120_000;

/**
 * Makes what calls the running server of a home with its own secret; `read` gives where it is, and null once it stops.
 *
 * @throws ServerError `server_silent` when it does not answer within two minutes, `server_unknown` when another certificate than its own shows
 */
export function createServerCaller(
  first: InstanceFile,
  clock: Clock,
  read: () => Promise<InstanceFile | null>,
): CallServer {
  const call = async (request: ServerRequest, attempts: number): Promise<ServerAnswer> => {
    const instance = (await read()) ?? first;
    try {
      return await callOnce(clock, instance, request);
    } catch (error) {
      // Between a renewed certificate and its note in the file is a moment.
      const again = error instanceof SvcError && error.code === 'server_unknown' && attempts > 1;
      if (!again) throw error;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, AGAIN_MS));
      return call(request, attempts - 1);
    }
  };
  return (method, path, body) => {
    const text = body === undefined ? null : JSON.stringify(body);
    return call({ method, path, body: text }, ATTEMPTS);
  };
}

/** Where the server of an address is to be reached. */
export function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  // URL leaves out the port that is the scheme's own.
  const own = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? own : Number(port) };
}

async function callOnce(
  clock: Clock,
  { url, secret, certificate }: InstanceFile,
  { method, path, body }: ServerRequest,
): Promise<ServerAnswer> {
  const { protocol, host } = new URL(url);
  const address = addressOf(url);
  const socket = protocol === 'https:' ? await connectPinned(address, certificate, url) : null;
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => outgoing.destroy(new Error('No answer.')), SILENT_MS);
    const fail = (cause: unknown): void => {
      clock.clearTimeout(timer);
      reject(silent(url, cause));
    };
    const outgoing = requestPlain(
      {
        ...{ ...address, method, path },
        headers: {
          Host: host,
          Authorization: `Bearer ${secret}`,
          'Svc-Via': 'cli',
          Connection: 'close',
          ...jsonOf(body),
        },
        ...(socket === null ? {} : { createConnection: () => socket }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          clock.clearTimeout(timer);
          try {
            const answer: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
            resolve({ status: response.statusCode ?? 0, body: answer });
          } catch (cause) {
            fail(cause);
          }
        });
      },
    );
    outgoing.on('error', fail);
    outgoing.end(body ?? undefined);
  });
}

function jsonOf(body: string | null): Readonly<Record<string, string | number>> {
  if (body === null) return {};
  return { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
}

// Names and issuers say nothing here, where the address is that of this machine: the server's very own certificate must
// show, and before anything is sent.
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
      const message = `What answers at ${url} does not show the certificate of the server of this home.`;
      reject(new ServerError('server_unknown', message));
    });
  });
}

function silent(url: string, cause: unknown): ServerError {
  return new ServerError('server_silent', `The server at ${url} does not answer.`, { cause });
}
