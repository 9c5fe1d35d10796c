import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  failure,
  type Issue,
  isDeeperThan,
  MOST_JSON_LEVELS,
  messageOf,
  type Result,
  success,
  textFault,
} from '@svc/core';
import { invalidRequest, type Refusal } from './errors.ts';

/** Maximum size of a body. */
const BODY_BYTES = 1_048_576;

/** The client disconnected before its body was complete. */
export const ABORTED = 'aborted';

/**
 * Reads a JSON object from the body of a request: up to 1 MiB of UTF-8, nested up to 64 levels; null if the body is
 * empty or the JSON value null.
 * @throws Error if the body was read before
 */
export async function readBody(
  request: IncomingMessage,
): Promise<Result<object | null, Refusal | typeof ABORTED>> {
  const { headers } = request;
  const announced = Number(headers['content-length'] ?? 0);
  if (announced === 0 && headers['transfer-encoding'] === undefined) return success(null);
  if (request.readableEnded) {
    throw new Error(
      'The body was read before it got here: mount this handler before body parsers.',
    );
  }
  const fault = announced > 0 ? (typeFault(headers) ?? sizeFault(announced)) : null;
  if (fault !== null) return failure(fault);
  const bytes = await collect(request);
  if (!bytes.ok) return bytes;
  return bytes.value.length === 0 ? success(null) : parseBody(bytes.value);
}

function collect(request: IncomingMessage): Promise<Result<Buffer, Refusal | typeof ABORTED>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: Result<Buffer, Refusal | typeof ABORTED>): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      const fault = typeFault(request.headers) ?? sizeFault(size);
      if (fault === null) chunks.push(chunk);
      else settle(failure(fault));
    };
    const onEnd = (): void => settle(success(Buffer.concat(chunks)));
    const onClose = (): void => settle(failure(ABORTED));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function sizeFault(bytes: number): Refusal | null {
  if (bytes <= BODY_BYTES) return null;
  return { code: 'payload_too_large', message: 'The body is too large: send at most 1 MiB.' };
}

function typeFault(headers: IncomingHttpHeaders): Refusal | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return unsupported('The body must not be compressed: leave Content-Encoding out.');
  }
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    return unsupported('The body must be JSON: send it with Content-Type: application/json.');
  }
  const foreign = parameters.some((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim().toLowerCase() === 'charset' && !/^\s*"?utf-?8"?\s*$/i.test(value);
  });
  return foreign ? unsupported('The body must be UTF-8: send it with charset=utf-8.') : null;
}

function unsupported(message: string): Refusal {
  return { code: 'unsupported_media_type', message };
}

function parseBody(bytes: Buffer): Result<object | null, Refusal> {
  const text = decode(bytes);
  if (text === null) return refuse({ path: '', message: 'has a body that is not valid UTF-8.' });
  const parsed = parseJson(text);
  if (!parsed.ok) return refuse(parsed.error);
  const { value } = parsed;
  // Generated clients send this for an omitted body.
  if (value === null) return success(null);
  if (typeof value !== 'object' || Array.isArray(value)) {
    return refuse({
      path: '',
      message: `must have a JSON object as its body, not ${kindOf(value)}.`,
    });
  }
  if (isDeeperThan(value, MOST_JSON_LEVELS)) {
    const message = `has a body that is nested too deeply; at most ${MOST_JSON_LEVELS} levels are allowed.`;
    return refuse({ path: '', message });
  }
  const fault = textFault(value);
  return fault === null ? success(value) : refuse(fault);
}

function refuse(issue: Issue): Result<never, Refusal> {
  return failure(invalidRequest([issue]));
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The only possible error: invalid UTF-8.
    return null;
  }
}

function parseJson(text: string): Result<unknown, Issue> {
  try {
    return success(JSON.parse(text));
  } catch (error) {
    return failure(syntaxIssue(text, messageOf(error)));
  }
}

// Engines put the position in their message, but omit it if they quote the surrounding text or reach the end.
function syntaxIssue(text: string, reason: string): Issue {
  const found = /at position (\d+)/.exec(reason)?.[1];
  const end = reason.includes('end of JSON input') ? text.length : null;
  const position = found === undefined ? end : Number(found);
  const message = `has a body that is not valid JSON: ${reason.replace(/ \(line.*\)$/, '')}.`;
  if (position === null) return { path: '', message };
  const before = text.slice(0, position).split('\n');
  return { path: '', message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
