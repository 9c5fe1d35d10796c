import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './contract.ts';
import { ApiError } from './errors.ts';

/** The shapes of bodies and answers by their names in the OpenAPI document: `Schemas['Run']`. */
export type Schemas = components['schemas'];

/** Calls the routes: `api.GET('/api/projects/{slug}', { params: { path: { slug } } })`. */
export type Api = Client<paths>;

/** Where a service is and how it is asked. */
export interface ApiOptions {
  /** Origin of the service, e.g. `http://127.0.0.1:7420`. */
  readonly baseUrl: string;
  /** Headers of every request, e.g. `Authorization`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `globalThis.fetch` as it is when a request is made. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Makes a client of the REST interface. It sends nothing until it is asked to. */
export function createApi({ baseUrl, headers = {}, fetch }: ApiOptions): Api {
  return createFetchClient<paths>({
    baseUrl,
    headers,
    // The service takes lists with commas and refuses a parameter that comes twice.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
  });
}

/**
 * The body of a success.
 *
 * @throws ApiError for every other answer
 */
export function bodyOf<T>(answer: {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}): T {
  if (!answer.response.ok) throw new ApiError(answer.response.status, answer.error);
  return answer.data as T;
}
