import { lookup as systemLookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Clock, failure, messageOf, type Result, success } from '@svc/core';
import {
  createNetworkTables,
  isPublicAddress,
  type NetworkTables,
  ownAddressTest,
} from '@svc/sandbox';
import { abortable } from '../abortable.ts';
import type { Web, WebFault, WebOptions, WebPage } from '../web.ts';

/** Dependencies of the web adapter. */
export interface WebDeps {
  readonly clock: Clock;
  /** All addresses of a host name. Default: the system's resolver. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
  /** The network tables of this machine. Default: those of the system. */
  readonly network?: NetworkTables;
}

const MAX_REDIRECTS = 5;
const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const TEXTUAL = /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|javascript|x-ndjson))$/;

/**
 * Creates a fetcher for public addresses of other machines only. Addresses are checked after name resolution and on
 * each redirect.
 */
export function createWeb(deps: WebDeps, options: WebOptions): Web {
  const allowed = new Set((options.allowHosts ?? []).map((host) => host.toLowerCase()));
  const resolveHost = deps.resolveHost ?? resolveBySystem;
  const network = deps.network ?? createNetworkTables();
  return {
    async get(url, signal) {
      const limit = new AbortController();
      const stop = (): void => limit.abort();
      signal.addEventListener('abort', stop, { once: true });
      const timer = deps.clock.setTimeout(stop, TIMEOUT_MS);
      try {
        if (signal.aborted) stop();
        return await follow({ allowed, resolveHost, network, signal: limit.signal }, url);
      } catch (error) {
        return failure(failed(sentenceOf(error, url, limit.signal)));
      } finally {
        deps.clock.clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

interface FetchPolicy {
  readonly allowed: ReadonlySet<string>;
  readonly resolveHost: (host: string) => Promise<readonly string[]>;
  readonly network: NetworkTables;
  readonly signal: AbortSignal;
}

async function follow(reach: FetchPolicy, first: string): Promise<Result<WebPage, WebFault>> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const target = parseTarget(url);
    if (!target.ok) return target;
    const address = await addressOf(reach, target.value);
    if (!address.ok) return address;
    const answer = await ask(target.value, address.value, reach.signal);
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

// The URL parser has already normalized decimal, octal and hexadecimal IPv4 notations.
async function addressOf(reach: FetchPolicy, url: URL): Promise<Result<string, WebFault>> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const listed = reach.allowed.has(url.hostname.toLowerCase());
  const addresses =
    isIP(host) === 0 ? await abortable(reach.resolveHost(host), reach.signal) : [host];
  const [first] = addresses;
  if (first === undefined) return failure(failed(`${host} has no address.`));
  const refusal = listed ? null : await refusalOf(reach, addresses);
  return refusal === null
    ? success(first)
    : failure({
        kind: 'refused',
        reason: `${host} ${refusal}: the service only fetches public web pages.`,
      });
}

async function refusalOf(reach: FetchPolicy, addresses: readonly string[]): Promise<string | null> {
  if (!addresses.every(isPublicAddress)) return 'is not a public address';
  return addresses.some(await ownAddressTest(reach.network)) ? 'resolves to this machine' : null;
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Connects to exactly the checked address, even if the name resolves to another one by now. */
function ask(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const family = isIP(address);
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      agent: false,
      lookup,
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
