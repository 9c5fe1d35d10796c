import type { Clock } from '@svc/core';
import type { ActiveRequest } from './active-request.ts';
import type { ClassicServing, FamilyOptions } from './classic.ts';
import { type Message, parseMessage, type RequestMessage } from './messages.ts';
import { createModernServing, isModern } from './modern.ts';
import { type HttpExchange, type PlainAnswer, rpcAnswer, writeAnswer } from './plain-answer.ts';
import { revisionProblem, UNAVAILABLE } from './refusals.ts';
import type { ToolCaller } from './tool-caller.ts';

/** Handles request bodies. */
export interface Dispatch {
  /** Handles one body. Returns null if the response has been written already. */
  answer(caller: ToolCaller, body: Buffer, exchange: HttpExchange): ActiveRequest | null;
  /** Loads in advance what the first request would otherwise wait for. */
  prepare(): void;
}

const ACCEPTED: PlainAnswer = { status: 202, headers: {}, body: '' };

/** Creates the dispatch over both families of the protocol. */
export function createDispatch(clock: Clock, options: FamilyOptions): Dispatch {
  const classic = createLazyClassic(clock, options);
  const modern = createModernServing(clock, options);
  return {
    prepare() {
      // If it cannot be loaded, the first request reports that.
      classic.load().catch(() => {});
    },
    answer(caller, body, exchange) {
      const { headers } = exchange.request;
      const message = parseMessage(body);
      if (isCall(message) && isModern(message, headers)) return modern(caller, message, exchange);
      const isHandshake = message.kind === 'request' && message.method === 'initialize';
      const id = message.kind === 'request' ? message.id : null;
      const wrong = isHandshake ? null : revisionProblem(headers, id);
      if (message.kind === 'request' && wrong === null) {
        return classic.answer(caller, message, exchange);
      }
      writeAnswer(exchange, invalidAnswer(message) ?? wrong ?? ACCEPTED);
      return null;
    },
  };
}

interface LazyClassic {
  load(): Promise<ClassicServing>;
  answer(caller: ToolCaller, message: RequestMessage, exchange: HttpExchange): ActiveRequest;
}

// Loaded lazily, so that a surface without clients never loads the protocol library.
function createLazyClassic(clock: Clock, options: FamilyOptions): LazyClassic {
  let loading: Promise<ClassicServing> | null = null;
  let loaded: ClassicServing | null = null;
  const load = (): Promise<ClassicServing> => {
    loading ??= import('./classic.ts').then(
      ({ createClassicServing }) => {
        loaded = createClassicServing(clock, options);
        return loaded;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  return {
    load,
    answer(caller, message, exchange) {
      const { response } = exchange;
      return (
        loaded?.(caller, message, response) ??
        waiting(exchange, load(), (serving) => serving(caller, message, response))
      );
    },
  };
}

function waiting(
  exchange: HttpExchange,
  loading: Promise<ClassicServing>,
  begin: (serving: ClassicServing) => ActiveRequest,
): ActiveRequest {
  let isOver = false;
  let begun: ActiveRequest | null = null;
  const fail = (): void => {
    isOver = true;
    writeAnswer(exchange, UNAVAILABLE);
  };
  loading.then((serving) => {
    if (!isOver) begun = begin(serving);
  }, fail);
  return {
    gone() {
      isOver = true;
      begun?.gone();
    },
    stop() {
      if (begun === null) fail();
      else begun.stop();
    },
  };
}

function isCall(message: Message): message is Extract<Message, { method: string }> {
  return message.kind === 'request' || message.kind === 'notification';
}

function invalidAnswer(message: Message): PlainAnswer | null {
  if (message.kind !== 'invalid') return null;
  return rpcAnswer(400, message.code, message.problem, { id: message.id });
}
