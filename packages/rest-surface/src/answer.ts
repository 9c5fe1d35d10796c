import type { Request, Response } from 'express';
import { ERROR_STATUS, type Refusal } from './errors.ts';

/** Headers of every answer: nothing here may be cached or taken for another type. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
});

/** Answers with a JSON body that ends its line; with an entity tag that the caller has already, with 304 and no body. */
export function sendJson(
  request: Request,
  response: Response,
  status: number,
  body: object,
  etag?: string | undefined,
): void {
  response.set(COMMON_HEADERS);
  if (etag !== undefined) response.set('ETag', etag);
  response.statusCode = status;
  if (etag !== undefined && request.fresh) {
    response.writeHead(304).end();
    return;
  }
  const text = Buffer.from(`${JSON.stringify(body)}\n`);
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(text.length),
  });
  response.end(text);
}

/** Answers a refusal and returns its status. */
export function sendRefusal(request: Request, response: Response, refusal: Refusal): number {
  const { code, message, issues, headers = {} } = refusal;
  const status = ERROR_STATUS[code];
  const told = issues === undefined || issues.length === 0 ? {} : { issues };
  response.set(headers);
  sendJson(request, response, status, { error: message, code, ...told });
  return status;
}
