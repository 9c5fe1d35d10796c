import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './contract.ts';
import { ApiError } from './errors.ts';

/** The shapes of bodies and answers by their names in the OpenAPI document: `Schemas['Run']`. */
export type Schemas = components['schemas'];

/** Calls the routes: `api.GET('/api/projects/{slug}', { params: { path: { slug } } })`. */
export type Api = Client<paths>;

/** Address of a service, and how requests are made. */
export interface ApiOptions {
  /** Origin of the service, e.g. `http://127.0.0.1:7420`. */
  readonly baseUrl: string;
  /** Headers of every request, e.g. `Authorization`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `globalThis.fetch`, read at each request. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client of the REST interface. Sends nothing until a route is called. */
export function createApi({ baseUrl, headers = {}, fetch }: ApiOptions): Api {
  return createFetchClient<paths>({
    baseUrl,
    headers,
    // The service accepts lists with commas and refuses repeated parameters.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
  });
}

/**
 * Returns the body of a successful response.
 * @throws ApiError for any other response
 */
export function bodyOf<T>(answer: {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}): T {
  if (!answer.response.ok) throw new ApiError(answer.response.status, answer.error);
  return answer.data as T;
}
