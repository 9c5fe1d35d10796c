import { createApi } from '@svc/client';
import { UnreachableError } from '../model/trouble.ts';

/** The service that the page came from. */
export const api = createApi({
  baseUrl: globalThis.location.origin,
  // From where a change came is kept with it.
  headers: { 'Svc-Via': 'page' },
  fetch: ask,
});

// A browser that is offline reaches a service on its own machine all the same, so each request is tried.
async function ask(request: Request): Promise<Response> {
  const isOffline = !navigator.onLine;
  try {
    return await globalThis.fetch(request);
  } catch (cause) {
    if (request.signal.aborted || !(cause instanceof TypeError)) throw cause;
    throw new UnreachableError(isOffline, { cause });
  }
}
