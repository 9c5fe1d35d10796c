import { createProxiedFetch, ProxyFault, type ProxyOptions } from '@svc/agent-runtime';
import { isRecord } from '@svc/core';

/** An OpenAI-compatible endpoint. */
export interface Endpoint {
  readonly baseUrl: string;
  /** The model that turns use; null: do not check it. */
  readonly model: string | null;
  readonly hasKey: boolean;
}

/** The result of checking an endpoint. */
export interface EndpointCheck {
  /** Whether it sent any response. */
  readonly answers: boolean;
  /** Whether the request failed at a proxy. */
  readonly failedInProxy: boolean;
  /** A problem that would likely make turns fail, and how to fix it, in one sentence; null if none is known. */
  readonly remark: string | null;
}

const TIMEOUT_MS = 3000;
const MAX_NAMED = 5;

/** Checks whether an endpoint responds and lists the model. Sends no API key, so the request cannot incur costs. */
export async function checkEndpoint(
  endpoint: Endpoint,
  proxy: ProxyOptions | null,
): Promise<EndpointCheck> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const ask = createProxiedFetch(proxy);
  const response = await ask(`${endpoint.baseUrl}/models`, { signal }).catch((error: unknown) => ({
    failedInProxy: error instanceof ProxyFault,
  }));
  if ('failedInProxy' in response) return { answers: false, remark: null, ...response };
  const listed = idsOf(await response.json().catch(() => null));
  const remark = remarkOn(endpoint, response.status, listed);
  return { answers: true, failedInProxy: false, remark };
}

function remarkOn(
  { baseUrl, model, hasKey }: Endpoint,
  status: number,
  listed: readonly string[],
): string | null {
  if ((status === 401 || status === 403) && !hasKey) {
    return `${baseUrl} requires a key. Name its variable in runtime.native.apiKey.ref (env:NAME).`;
  }
  if (status === 404) {
    return `${baseUrl}/models was not found. If turns fail, correct baseUrl; it usually ends in /v1.`;
  }
  if (model === null || listed.length === 0 || hasModel(listed, model)) return null;
  const named = listed.slice(0, MAX_NAMED).join(', ');
  const rest = listed.length > MAX_NAMED ? ' and others' : '';
  return `${baseUrl} does not list model "${model}" (${named}${rest}). Make it available there, or correct model.`;
}

// Ollama lists models with their tag, but accepts names without one.
function hasModel(listed: readonly string[], model: string): boolean {
  return listed.includes(model) || listed.includes(`${model}:latest`);
}

function idsOf(body: unknown): string[] {
  const data = isRecord(body) ? body['data'] : null;
  if (!Array.isArray(data)) return [];
  return data.flatMap((one: unknown) => {
    const id = isRecord(one) ? one['id'] : null;
    // The text is printed to a terminal, and must not contain control characters from a remote server.
    return typeof id === 'string' ? id.replace(/\p{Cc}/gu, '') : [];
  });
}
