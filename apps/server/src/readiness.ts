import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';

/** Request handlers. */
export interface HttpHandlers {
  readonly request: RequestListener;
  /** Handles requests with `Expect: 100-continue`, whose clients wait before they send the body. */
  readonly checkContinue: RequestListener;
  /** Ends responses that have no end of their own, such as event streams. */
  close(): void;
}

export const NOT_READY = 'The instance is starting or stopping. Try again in a moment.';

/**
 * Creates an application with `/livez` and `/readyz`.
 *
 * @param problem why the instance is not ready, in one sentence; null if it is
 */
export function createAppWithProbes(
  problem: () => string | null | Promise<string | null>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(defaultHeaders);
  app.get('/livez', (_request, response) => sendJson(response, 200, { ok: true }));
  app.get('/readyz', async (_request, response) => {
    const reason = await problem();
    if (reason === null) sendJson(response, 200, { ok: true });
    else sendJson(response, 503, { ok: false, reason });
  });
  return app;
}

// Defaults for all responses: do not cache, and do not guess the content type.
const defaultHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

/** Rejects requests with status 503 and the reason while there is one; otherwise passes them on. */
export function rejectWhileNotReady(reasonOf: () => string | null): RequestHandler {
  return (_request, response, next) => {
    const error = reasonOf();
    if (error === null) return next();
    response.setHeader('Retry-After', '1');
    sendJson(response, 503, { error, code: 'unavailable' });
  };
}

/** Serves the page while the instance starts or stops; rejects all other requests with the reason. */
export function createNotReadyHandlers(page: RequestHandler, reasonOf: () => string): HttpHandlers {
  const app = createAppWithProbes(reasonOf);
  app.use(page);
  app.use(rejectWhileNotReady(reasonOf));
  const request = (asked: IncomingMessage, response: ServerResponse): void => app(asked, response);
  return { request, checkContinue: request, close() {} };
}

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
