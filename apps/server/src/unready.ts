import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';

/** What answers requests. */
export interface Answers {
  readonly request: RequestListener;
  /** Answers a request whose client waits to be told that it may send the body. */
  readonly checkContinue: RequestListener;
  /** Ends the answers that would not end by themselves. */
  close(): void;
}

export const NOT_READY = 'The instance is starting or stopping. Try again in a moment.';

/** An application that says whether it lives and whether it is ready; what is wrong is told in one sentence. */
export function createProbedApp(trouble: () => string | null | Promise<string | null>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(guarded);
  app.get('/livez', (_request, response) => sendJson(response, 200, { ok: true }));
  app.get('/readyz', async (_request, response) => {
    const reason = await trouble();
    if (reason === null) sendJson(response, 200, { ok: true });
    else sendJson(response, 503, { ok: false, reason });
  });
  return app;
}

// For whatever is not said elsewhere: nothing may be kept for the next one at this browser, or taken for another type.
const guarded: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

/** Answers everything with the reason for which nothing can be answered; lets it pass where there is none. */
export function refuseUnready(whyNot: () => string | null): RequestHandler {
  return (_request, response, next) => {
    const error = whyNot();
    if (error === null) return next();
    response.setHeader('Retry-After', '1');
    sendJson(response, 503, { error, code: 'unavailable' });
  };
}

/** Serves the page while the instance is starting or stopping, and answers everything else with the reason. */
export function createUnready(page: RequestHandler, whyNot: () => string): Answers {
  const app = createProbedApp(whyNot);
  app.use(page);
  app.use(refuseUnready(whyNot));
  const request = (asked: IncomingMessage, response: ServerResponse): void => app(asked, response);
  return { request, checkContinue: request, close() {} };
}

/** Answers with a value as JSON. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
