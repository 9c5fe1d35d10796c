import { abridged, createRedactor, isRecord } from '@svc/core';
import { oneLine } from '../messages.ts';
import { ProxyFault } from '../proxy.ts';

/** Why a model call failed. */
export interface EndpointFault {
  /** One sentence without keys or HTML. */
  readonly reason: string;
  /** Whether a retry can help. */
  readonly again: boolean;
  /** The delay that the server asked for; null for none. */
  readonly waitMs: number | null;
}

/** An HTTP response that is not a completion. */
export class NoCompletion extends Error {}

/** The facts about a failed call. */
export interface FaultFacts {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Values to redact from reasons. */
  readonly secrets: readonly string[];
  readonly model: string;
  /** Whether the answer had begun. */
  readonly begun: boolean;
  /** Milliseconds since 1970, to convert a retry date into a delay. */
  readonly now: number;
}

const AGAIN = [408, 409, 425, 429, 500, 502, 503, 504, 529];
const MAX_DETAIL = 200;

/** Turns the error of the client library into a fault. */
export function endpointFault(error: unknown, facts: FaultFacts): EndpointFault {
  const fault = faultOf(error, facts);
  const { secrets } = facts;
  return { ...fault, reason: oneLine(createRedactor(() => secrets).text(fault.reason)) };
}

function faultOf(error: unknown, facts: FaultFacts): EndpointFault {
  const status = isRecord(error) ? error['status'] : null;
  if (isRecord(error) && typeof status === 'number') return statusFault(error, status, facts);
  const once = (what: string): EndpointFault => ({
    reason: `${placeOf(facts)} ${what}`,
    again: false,
    waitMs: null,
  });
  const known = causes(error).find((cause) => cause instanceof NoCompletion);
  if (known !== undefined) return once(known.message);
  if (isRecord(error) && error['name'] === 'SyntaxError')
    return once('sent an answer that could not be parsed.');
  const body = isRecord(error) ? detailOf(error['error'], facts) : '';
  if (body !== '') return once(`ended its answer with an error: ${body}`);
  if (facts.begun) return once('closed the connection in the middle of its answer.');
  return { ...connectionFault(error, facts), again: true, waitMs: null };
}

function placeOf({ baseUrl }: FaultFacts): string {
  return `The model endpoint at ${new URL(baseUrl).host}`;
}

function statusFault(error: Thrown, status: number, facts: FaultFacts): EndpointFault {
  const { error: body, headers } = error;
  const detail = detailOf(body, facts);
  const meaning = meaningOf(status, facts);
  return {
    reason: `${placeOf(facts)} ${meaning} (${status})${detail === '' ? '.' : `: ${detail}`}`,
    again: AGAIN.includes(status),
    waitMs: waitOf(headers as Headers | undefined, facts.now),
  };
}

function meaningOf(status: number, { apiKey, model }: FaultFacts): string {
  if (status === 401) return apiKey === null ? 'requires an API key' : 'rejected the API key';
  if (status === 403) return 'refused the call';
  if (status === 404) return `does not know model "${model}", or baseUrl is wrong`;
  if (status === 429) return 'is limiting the rate of requests';
  if (status >= 300 && status < 400) return 'sent a redirect, which is not followed';
  return status >= 500 ? 'failed' : 'refused the request';
}

// The usual form is { error: { message } }. Some servers use other fields, and HTML pages have no message.
function detailOf(body: unknown, { secrets }: FaultFacts): string {
  // Redact before truncating, because a truncated secret would not be found.
  const safe = createRedactor(() => secrets).deep(body);
  return abridged(wordsIn(safe, 0), MAX_DETAIL);
}

const PLACES = ['message', 'msg', 'error', 'detail', 'errors'];
const MOST_LEVELS = 6;
const MOST_ITEMS = 3;

function wordsIn(body: unknown, level: number): string {
  if (level > MOST_LEVELS) return '';
  if (typeof body === 'string') return wordsOfText(body, level);
  if (Array.isArray(body)) {
    const words = body.slice(0, MOST_ITEMS).map((item) => wordsIn(item, level + 1));
    return words.filter(Boolean).join('; ');
  }
  if (!isRecord(body)) return '';
  const words = PLACES.map((place) => wordsIn(body[place], level + 1)).find(Boolean) ?? '';
  const { loc, metadata } = body;
  const place = Array.isArray(loc) ? loc.join('.') : '';
  // The message of an upstream provider.
  const raw = isRecord(metadata) ? wordsIn(metadata['raw'], level + 1) : '';
  return [place, words, raw].filter(Boolean).join(': ');
}

function wordsOfText(text: string, level: number): string {
  if (/^\s*</.test(text)) return '';
  if (!/^\s*[[{]/.test(text)) return oneLine(text);
  try {
    return wordsIn(JSON.parse(text), level + 1) || oneLine(text);
  } catch {
    // Text that only looks like JSON.
    return oneLine(text);
  }
}

function waitOf(headers: Headers | undefined, now: number): number | null {
  const text = headers?.get('retry-after') ?? null;
  if (text === null) return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function connectionFault(error: unknown, facts: FaultFacts): Pick<EndpointFault, 'reason'> {
  const { host, hostname } = new URL(facts.baseUrl);
  const chain = causes(error);
  const code = chain.map((cause) => cause['code']).find((found) => typeof found === 'string');
  const through = chain.find((cause) => cause instanceof ProxyFault);
  if (through !== undefined) {
    const hint = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.';
    const why =
      through['cause'] === null
        ? NO_PROXY_ADDRESS
        : (proxyAnswer(chain) ?? code ?? chain.at(-1)?.['message']);
    return { reason: `${placeOf(facts)} cannot be reached through the proxy: ${why}. ${hint}` };
  }
  if (code === 'ECONNREFUSED')
    return { reason: `Nothing is listening on ${host} (the model endpoint).` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { reason: `The host ${hostname} of the model endpoint cannot be resolved (${code}).` };
  }
  const why = code ?? chain.at(-1)?.['message'] ?? 'unknown error';
  return { reason: `${placeOf(facts)} cannot be reached: ${why}.` };
}

const NO_PROXY_ADDRESS = 'its address is not http:// or https://';

function proxyAnswer(chain: readonly Thrown[]): string | null {
  const statuses = chain.map(
    ({ message }) => /^Proxy response \((\d+)\)/.exec(String(message))?.[1],
  );
  const status = statuses.find((found) => found !== undefined);
  return status === undefined ? null : `it answered with status ${status}`;
}

type Thrown = Readonly<Record<string, unknown>>;

// Compared by shape, because the error may come from another realm with other classes.
function causes(error: unknown): readonly Thrown[] {
  const found: Thrown[] = [];
  let next = error;
  while (isRecord(next) && found.length < 8) {
    found.push(next);
    const { errors } = next;
    next = Array.isArray(errors) ? errors[0] : next['cause'];
  }
  return found;
}
