import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Clock, type Logger, messageOf } from '@svc/core';
import type { ManagementGate, ManagementRequest, Principal, Refusal } from '@svc/mgmt-auth';
import type { ActiveRequest } from './active-request.ts';
import type { FamilyOptions } from './classic.ts';
import { createDispatch } from './dispatch.ts';
import type { OriginCheck } from './origins.ts';
import { type HttpExchange, rpcAnswer, writeAnswer } from './plain-answer.ts';
import { INTERNAL_ERROR } from './protocol-error.ts';
import { readBody } from './read-body.ts';
import { FOREIGN_ORIGIN, headerProblem, tooLarge, UNAVAILABLE, WRONG_METHOD } from './refusals.ts';
import type { ToolCaller } from './tool-caller.ts';
import { createToolLists } from './tool-lists.ts';
import type { McpToolset } from './toolset.ts';

/** Dependencies of the endpoint. */
export interface EndpointDeps {
  readonly toolset: () => McpToolset | null;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Options of the endpoint. */
export interface EndpointOptions extends FamilyOptions {
  readonly maxBodyBytes: number;
}

/** The checks of who may call. */
export interface Guards {
  readonly gate: ManagementGate;
  readonly isOwnOrigin: OriginCheck;
}

/** Gate and handler in one. */
export interface Endpoint {
  /** `current` returns the current checks; it is called again when the body has arrived. */
  answer(current: () => Guards, exchange: HttpExchange): void;
  /** Loads in advance what the first request would otherwise wait for. */
  prepare(): void;
  /** Aborts requests in progress; later requests get 503. */
  close(): void;
}

/** The result of the checks of a request. */
interface Admission {
  readonly guards: Guards;
  readonly principal: Principal;
  readonly toolset: McpToolset;
}

/** One request whose body is being read. */
interface Work {
  answering: ActiveRequest | null;
}

const REFUSED = 'request to the MCP endpoint refused';
const CODES: Readonly<Record<Refusal['status'], string>> = {
  404: 'not_found',
  403: 'insecure_transport',
  401: 'auth_required',
  429: 'too_many_attempts',
};

/** Creates the endpoint. */
export function createEndpoint(deps: EndpointDeps, options: EndpointOptions): Endpoint {
  const { logger, clock } = deps;
  const lists = createToolLists();
  const dispatch = createDispatch(clock, options);
  const open = new Set<Work>();
  let closed = false;

  const dispatchTo = (
    caller: ToolCaller,
    body: Buffer,
    exchange: HttpExchange,
  ): ActiveRequest | null => {
    try {
      return dispatch.answer(caller, body, exchange);
    } catch (error) {
      logger.error({ error: messageOf(error) }, 'MCP request could not be answered');
      writeAnswer(exchange, rpcAnswer(500, INTERNAL_ERROR, 'Internal error'));
      return null;
    }
  };
  const receive = (began: Admission, current: () => Guards, exchange: HttpExchange): void => {
    const work: Work = { answering: null };
    if (exchange.expectsContinue) exchange.response.writeContinue();
    const stopReading = readBody(exchange.request, options.maxBodyBytes, (body) => {
      work.answering = null;
      const principal = callerNow(logger, began, current, exchange);
      if (principal === null) return;
      if (body === null) return writeAnswer(exchange, tooLarge(options.maxBodyBytes));
      const caller = { principal, toolset: began.toolset, lists, logger };
      work.answering = dispatchTo(caller, body, exchange);
    });
    work.answering = {
      gone: stopReading,
      stop() {
        stopReading();
        writeAnswer(exchange, UNAVAILABLE);
      },
    };
    open.add(work);
    exchange.response.on('close', () => {
      open.delete(work);
      work.answering?.gone();
    });
  };
  return {
    prepare: () => dispatch.prepare(),
    answer(current, exchange) {
      const guards = current();
      const { gate, isOwnOrigin } = guards;
      const { request } = exchange;
      const verdict = gate(gateRequest(request));
      if (!verdict.ok) {
        if (verdict.status !== 404) logRefusal(logger, request, CODES[verdict.status]);
        return writeAnswer(exchange, verdict);
      }
      if (!isOwnOrigin(request.headers.origin)) {
        logRefusal(logger, request, 'forbidden_origin');
        return writeAnswer(exchange, FOREIGN_ORIGIN);
      }
      if (request.method !== 'POST') return writeAnswer(exchange, WRONG_METHOD);
      const toolset = closed ? null : toolsetFor(deps, request);
      if (toolset === null) return writeAnswer(exchange, UNAVAILABLE);
      const problem = headerProblem(singled(request, 'content-type'), options.maxBodyBytes);
      if (problem !== null) return writeAnswer(exchange, problem);
      receive({ guards, principal: verdict.principal, toolset }, current, exchange);
    },
    close() {
      closed = true;
      for (const { answering } of open) answering?.stop();
    },
  };
}

function toolsetFor(
  { toolset, logger }: EndpointDeps,
  request: IncomingMessage,
): McpToolset | null {
  // A body that another handler has read cannot be read again.
  if (request.readableEnded) {
    logger.error({}, 'body of an MCP request was read by another handler');
    return null;
  }
  try {
    return toolset();
  } catch (error) {
    logger.error({ error: messageOf(error) }, 'tools of the MCP endpoint are not available');
    return null;
  }
}

// The token or its rights may have been revoked while a slow client sent its body. Null if the response has been
// written.
function callerNow(
  logger: Logger,
  began: Admission,
  current: () => Guards,
  exchange: HttpExchange,
): Principal | null {
  const now = current();
  if (now === began.guards) return began.principal;
  const verdict = now.gate(gateRequest(exchange.request));
  if (verdict.ok) return verdict.principal;
  logRefusal(logger, exchange.request, CODES[verdict.status]);
  writeAnswer(exchange, verdict);
  return null;
}

function logRefusal(logger: Logger, { method, socket }: IncomingMessage, code: string): void {
  logger.info({ method, address: socket.remoteAddress ?? null, code }, REFUSED);
}

function gateRequest(request: IncomingMessage): ManagementRequest {
  const { method = '', socket } = request;
  return {
    method,
    headers: singled(request, 'authorization'),
    remoteAddress: socket.remoteAddress,
    encrypted: (socket as TLSSocket).encrypted === true,
  };
}

// Node keeps the first of a repeated header and drops the others; a proxy in front may have checked the last.
function singled(
  request: IncomingMessage,
  name: 'authorization' | 'content-type',
): IncomingHttpHeaders {
  const { headers, rawHeaders } = request;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  // Two joined values are neither a valid token nor a valid media type.
  return count < 2 ? headers : { ...headers, [name]: `${headers[name]}, ${name} is repeated` };
}
