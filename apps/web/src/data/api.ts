import { createApi } from '@svc/client';

/** The service that the page came from. */
export const api = createApi({ baseUrl: globalThis.location.origin });
