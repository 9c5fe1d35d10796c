import type { JsonSchema } from '@svc/schema';
import type { Request, RequestHandler, Response } from 'express';
import { sendRefusal, sendText } from './answer.ts';
import { callOperation, type DispatchDeps } from './dispatch.ts';
import type { OpenApi } from './docs/document.ts';
import { DOCS_PATH, STYLE_PATH } from './docs/paths.ts';
import { readAddress } from './input.ts';
import type { RouteFacts } from './route.ts';

// The HTML page is another form of the document, and not part of it.
const FACTS = {
  method: 'get',
  operation: 'read_openapi',
  tag: 'service',
  status: 200,
} as const;
const DOCS_ROUTE = { ...FACTS, path: DOCS_PATH } satisfies RouteFacts;
const STYLE_ROUTE = { ...FACTS, path: STYLE_PATH } satisfies RouteFacts;

const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

interface Pages {
  /** The page for callers at this address, such as `http://127.0.0.1:7420`. */
  page(origin: string): string;
  style(): string;
}

const HOST = /^[A-Za-z0-9.:[\]-]+$/;
const DEFAULT_ORIGIN = 'http://127.0.0.1:7420';

// Only shown for copying, so that the header does not need to be trusted.
function originOf({ headers, socket }: Request): string {
  const { host = '' } = headers;
  const isSecure = 'encrypted' in socket || headers['x-forwarded-proto'] === 'https';
  return HOST.test(host) ? `${isSecure ? 'https' : 'http'}://${host}` : DEFAULT_ORIGIN;
}

/** The routes of the HTML pages of the document, which are rendered at the first request. */
export function docsRoutes(
  deps: DispatchDeps,
  document: () => JsonSchema,
): { readonly facts: RouteFacts; readonly respond: RequestHandler }[] {
  let making: Promise<Pages> | null = null;
  const pages = (): Promise<Pages> => {
    making ??= makePages(document());
    return making;
  };
  const answer =
    (facts: RouteFacts & { readonly operation: 'read_openapi' }, type: string, name: keyof Pages) =>
    async (request: Request, response: Response): Promise<void> => {
      response.removeHeader('Allow');
      const { address: input, faults } = readAddress(facts, request);
      const read = { input, faults, partial: false, refusal: null };
      const allowed = await callOperation(deps, facts, request, read);
      if (!allowed.ok) {
        sendRefusal(request, response, allowed.error);
        return;
      }
      response.set(HEADERS);
      const made = (await pages())[name];
      sendText(request, response, type, made(originOf(request)));
    };
  return [
    { facts: DOCS_ROUTE, respond: answer(DOCS_ROUTE, 'text/html', 'page') },
    { facts: STYLE_ROUTE, respond: answer(STYLE_ROUTE, 'text/css', 'style') },
  ];
}

async function makePages(document: JsonSchema): Promise<Pages> {
  const [{ docsPage, ORIGIN_PLACE }, { DOCS_STYLE }] = await Promise.all([
    import('./docs/page.ts'),
    import('./docs/style.ts'),
  ]);
  const page = docsPage(document as unknown as OpenApi);
  return {
    page: (origin) => page.replace(ORIGIN_PLACE, origin),
    style: () => DOCS_STYLE,
  };
}
