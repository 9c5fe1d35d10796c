import type { Clock } from '@svc/core';
import type { Answering } from './answering.ts';
import { type Exchanged, type PlainAnswer, rpcAnswer, writeAnswer } from './answers.ts';
import type { Caller } from './caller.ts';
import { createClassicServing, type FamilyOptions } from './classic.ts';
import { type Message, parseMessage } from './messages.ts';
import { createModernServing, isModern } from './modern.ts';
import { revisionProblem } from './refusals.ts';

/** Answers a body; what comes back is null where the answer is written already. */
export type Dispatch = (caller: Caller, body: Buffer, exchanged: Exchanged) => Answering | null;

const ACCEPTED: PlainAnswer = { status: 202, headers: {}, body: '' };

/** Makes the dispatch over both families of the protocol. */
export function createDispatch(clock: Clock, options: FamilyOptions): Dispatch {
  const classic = createClassicServing(clock, options);
  const modern = createModernServing(clock, options);
  return (caller, body, exchanged) => {
    const { headers } = exchanged.request;
    const message = parseMessage(body);
    if (isCall(message) && isModern(message, headers)) return modern(caller, message, exchanged);
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    const id = message.kind === 'request' ? message.id : null;
    const wrong = isHandshake ? null : revisionProblem(headers, id);
    if (message.kind === 'request' && wrong === null) {
      return classic(caller, message, exchanged.response);
    }
    writeAnswer(exchanged, invalidAnswer(message) ?? wrong ?? ACCEPTED);
    return null;
  };
}

function isCall(message: Message): message is Extract<Message, { method: string }> {
  return message.kind === 'request' || message.kind === 'notification';
}

function invalidAnswer(message: Message): PlainAnswer | null {
  if (message.kind !== 'invalid') return null;
  return rpcAnswer(400, message.code, message.problem, { id: message.id });
}
