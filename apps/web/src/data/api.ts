import { createApi } from '@svc/client';

/** The service that the page came from. */
export const api = createApi({
  baseUrl: globalThis.location.origin,
  // From where a change came is kept with it.
  headers: { 'Svc-Via': 'page' },
});
