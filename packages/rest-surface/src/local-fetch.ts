import type { Caller, Operations } from '@svc/ops';
import { bodyOfRefusal } from './answer.ts';
import { callOperation } from './dispatch.ts';
import { ERROR_STATUS, NOTHING_HERE, type Refusal } from './errors.ts';
import { readAddress, withBody } from './input.ts';
import { ROUTES, type Route } from './route.ts';

/**
 * Creates a function like `fetch` that answers requests in this process, without a server and without sign-in. Headers
 * that are not input are ignored, and the stream of changes does not exist.
 *
 * @param caller the caller of all requests, which determines what they may do
 */
export function createLocalFetch(
  operations: Operations,
  caller: Caller,
): (request: globalThis.Request) => Promise<globalThis.Response> {
  const callerOf = (): Caller => caller;
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const found = routeAt(request.method, pathname);
    if (found === null) return refusalResponse(NOTHING_HERE);
    const { route, params } = found;
    const headers = Object.fromEntries(request.headers);
    const { address, faults } = readAddress(route, {
      url: `${pathname}${search}`,
      params,
      headers,
    });
    const text = await request.text();
    const body = text === '' ? {} : (JSON.parse(text) as object);
    const read =
      faults.length > 0
        ? { input: address, faults, partial: true, refusal: null }
        : withBody(route, address, body);
    const result = await callOperation({ operations, callerOf }, route, request, read);
    if (!result.ok) return refusalResponse(result.error);
    return Response.json(route.toReply(result.value).body, { status: route.status });
  };
}

function refusalResponse(refusal: Refusal): globalThis.Response {
  return Response.json(bodyOfRefusal(refusal), { status: ERROR_STATUS[refusal.code] });
}

interface Found {
  readonly route: Route;
  readonly params: Record<string, string>;
}

function routeAt(method: string, pathname: string): Found | null {
  const path = pathname.split('/');
  for (const route of ROUTES) {
    if (route.method !== method.toLowerCase() || route.operation === 'follow_changes') continue;
    const params = paramsIn(`/api${route.path}`.split('/'), path);
    if (params !== null) return { route, params };
  }
  return null;
}

function paramsIn(
  segments: readonly string[],
  path: readonly string[],
): Record<string, string> | null {
  if (segments.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const given = path[i] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(given);
    else if (segment !== given) return null;
  }
  return params;
}
