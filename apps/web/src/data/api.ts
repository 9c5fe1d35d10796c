import { createApi } from '@svc/client';
import { UnreachableError } from '../model/error-text.ts';

/** The API of the service that served the page. */
export const api = createApi({
  baseUrl: globalThis.location.origin,
  // The service records where each change came from.
  headers: { 'Svc-Via': 'page' },
  fetch: ask,
});

// A browser that is offline can still reach a service on its own machine, so each request is tried.
async function ask(request: Request): Promise<Response> {
  const isOffline = !navigator.onLine;
  try {
    return await globalThis.fetch(request);
  } catch (cause) {
    if (request.signal.aborted || !(cause instanceof TypeError)) throw cause;
    throw new UnreachableError(isOffline, { cause });
  }
}
