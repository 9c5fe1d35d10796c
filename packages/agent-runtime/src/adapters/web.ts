import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Clock, failure, messageOf, type Result, success } from '@svc/core';
import type { Outbound } from '@svc/sandbox';
import type { Web, WebFault, WebPage } from '../web.ts';

const MAX_REDIRECTS = 5;
const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const TEXTUAL = /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|javascript|x-ndjson))$/;

/** Creates a fetcher. Every address, also of a redirect, is fetched over a connection of `outbound`, which checks it. */
export function createWeb(clock: Clock, outbound: Outbound): Web {
  return {
    async get(url, signal) {
      const limit = new AbortController();
      const stop = (): void => limit.abort();
      signal.addEventListener('abort', stop, { once: true });
      const timer = clock.setTimeout(stop, TIMEOUT_MS);
      try {
        if (signal.aborted) stop();
        return await follow(outbound, url, limit.signal);
      } catch (error) {
        return failure(failed(sentenceOf(error, url, limit.signal)));
      } finally {
        clock.clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

async function follow(
  outbound: Outbound,
  first: string,
  signal: AbortSignal,
): Promise<Result<WebPage, WebFault>> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const target = parseTarget(url);
    if (!target.ok) return target;
    const connection = await connect(outbound, target.value, signal);
    if (!connection.ok) return connection;
    const answer = await ask(target.value, connection.value, signal);
    const next = redirectOf(answer, target.value);
    if (next === null) return readPage(answer, target.value);
    answer.destroy();
    url = next;
  }
  return failure(failed(`${first} redirects more than ${MAX_REDIRECTS} times.`));
}

function failed(reason: string): WebFault {
  return { kind: 'failed', reason };
}

function parseTarget(text: string): Result<URL, WebFault> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return failure(failed(`${text} is not a web address.`));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return failure({ kind: 'refused', reason: 'Only http and https addresses can be fetched.' });
  }
  return url.username === '' && url.password === ''
    ? success(url)
    : failure({ kind: 'refused', reason: 'A web address must not contain a user name.' });
}

async function connect(
  outbound: Outbound,
  url: URL,
  signal: AbortSignal,
): Promise<Result<Socket, WebFault>> {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const opened = await outbound.open(url.hostname, port, signal);
  // The reason of an aborted attempt says nothing about the host.
  if (signal.aborted) throw new Error('aborted');
  return opened;
}

function ask(url: URL, connection: Socket, signal: AbortSignal): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  const request = secure ? httpsRequest : httpRequest;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      // With any agent, also `agent: false`, Node ignores this function and opens a connection that is not checked.
      createConnection: () =>
        secure ? connectTls({ socket: connection, host, ...servername }) : connection,
      signal,
      headers: { accept: 'text/*, application/json', 'accept-encoding': 'identity' },
    });
    asked.once('response', resolve);
    // The listener stays, because a connection can still fail after its response was discarded.
    asked.on('error', reject);
    asked.end();
  });
}

function redirectOf(answer: IncomingMessage, from: URL): string | null {
  const { location } = answer.headers;
  const moved = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0);
  if (!moved || location === undefined) return null;
  return URL.canParse(location, from.href) ? new URL(location, from).href : location;
}

async function readPage(answer: IncomingMessage, url: URL): Promise<Result<WebPage, WebFault>> {
  const [type = '', ...parameters] = (answer.headers['content-type'] ?? '').split(';');
  const media = type.trim().toLowerCase();
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (!TEXTUAL.test(media) || encoding !== 'identity') {
    answer.destroy();
    const what = encoding === 'identity' ? media || 'an unnamed type' : `${encoding} compression`;
    return failure(failed(`${url.href} is not text but ${what}.`));
  }
  const bytes = await readBody(answer);
  if (bytes === null) return failure(failed(`${url.href} is larger than 5 MiB.`));
  const body = decode(bytes, parameters);
  return success({ url: url.href, status: answer.statusCode ?? 0, type: media, body });
}

async function readBody(answer: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let total = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    total += part.length;
    // Leaving the loop destroys the connection.
    if (total > MAX_BYTES) return null;
  }
  return Buffer.concat(parts);
}

function decode(bytes: Buffer, parameters: readonly string[]): string {
  const named = parameters.find((parameter) => /^\s*charset=/i.test(parameter));
  const label = named?.split('=')[1]?.replace(/["\s]/g, '') ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // An unknown character set is read as UTF-8, which most of the web uses.
    return new TextDecoder().decode(bytes);
  }
}

function sentenceOf(error: unknown, url: string, signal: AbortSignal): string {
  return signal.aborted
    ? `${url} did not answer within ${TIMEOUT_MS / 1000} seconds.`
    : `${url} could not be fetched: ${messageOf(error)}.`;
}
