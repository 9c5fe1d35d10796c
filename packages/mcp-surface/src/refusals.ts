import type { IncomingHttpHeaders } from 'node:http';
import { acceptsBoth, isJson, isPlain } from './media-types.ts';
import { jsonAnswer, type PlainAnswer, rpcAnswer } from './plain-answer.ts';
import { SERVER_ERROR } from './protocol-error.ts';

/** The request comes from a page of another origin. */
export const FOREIGN_ORIGIN: PlainAnswer = jsonAnswer(403, {
  error: 'A page of another origin may not call this endpoint.',
  code: 'forbidden_origin',
});

/** Only POST is supported. */
export const WRONG_METHOD: PlainAnswer = rpcAnswer(
  405,
  SERVER_ERROR,
  'Method not allowed: use POST',
  {
    headers: { Allow: 'POST' },
  },
);

/** There are no tools to serve. */
export const UNAVAILABLE: PlainAnswer = jsonAnswer(503, {
  error: 'The operations are not available: the server is not wired up, or it is closing.',
  code: 'ops_unavailable',
});

const NOT_ACCEPTABLE = rpcAnswer(
  406,
  SERVER_ERROR,
  'Not Acceptable: Client must accept both application/json and text/event-stream',
);
const WRONG_TYPE = rpcAnswer(
  415,
  SERVER_ERROR,
  'Unsupported Media Type: Content-Type must be application/json in UTF-8, without Content-Encoding',
);
// A literal list, so that the libraries are not loaded for the names of their revisions.
const SUPPORTED = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** The body is over the limit. */
export function tooLarge(maxBytes: number): PlainAnswer {
  const message = `Payload Too Large: the body must not be over ${maxBytes} bytes`;
  return rpcAnswer(413, SERVER_ERROR, message, { headers: { Connection: 'close' } });
}

/** The response to a request whose headers are refused before its body is read, or null. */
export function headerProblem(headers: IncomingHttpHeaders, maxBytes: number): PlainAnswer | null {
  if (!acceptsBoth(headers.accept)) return NOT_ACCEPTABLE;
  if (!isJson(headers['content-type']) || !isPlain(headers['content-encoding'])) return WRONG_TYPE;
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
}

/** The response to a request of the older family with an unsupported revision in its header, or null. */
export function revisionProblem(
  headers: IncomingHttpHeaders,
  id: string | number | null,
): PlainAnswer | null {
  const revision = headers['mcp-protocol-version'];
  if (revision === undefined || SUPPORTED.includes(String(revision).trim())) return null;
  const message = `Bad Request: Unsupported protocol version (supported versions: ${SUPPORTED.join(', ')})`;
  return rpcAnswer(400, SERVER_ERROR, message, { id });
}
