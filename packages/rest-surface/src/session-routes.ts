import {
  type BrowserAuth,
  type GateRequest,
  gateRequestOf,
  type SessionView,
} from '@svc/browser-auth';
import { failure, type Logger, messageOf, type Result, SvcError } from '@svc/core';
import { createValidator } from '@svc/schema';
import type { Request, Response } from 'express';
import { sendJson, sendRefusal } from './answer.ts';
import { logFailure } from './dispatch.ts';
import { INTERNAL, invalidRequest, type Refusal, refusalOfAuth } from './errors.ts';
import { type ReadInput, readInput } from './input.ts';
import type { RouteFacts } from './route.ts';
import { SIGN_IN_INPUT } from './session-operations.ts';

/** Dependencies of the session routes. */
export interface SessionDeps {
  readonly auth: BrowserAuth;
  readonly logger: Logger;
  /** Called when sessions may have ended. */
  readonly onSessionsChanged: () => void;
}

/** A route for the session of the caller. */
export interface SessionRoute {
  readonly facts: RouteFacts;
  respond(request: Request, response: Response): Promise<void>;
}

const COMMON = { path: '/session', tag: 'service', status: 200 } as const;

const EXAMPLE: SessionView = { mode: 'token', signedIn: true, user: null, role: 'write' };

const READ = {
  ...COMMON,
  isOpen: true,
  method: 'get',
  operation: 'read_session',
  example: { response: EXAMPLE },
} as const;
const SIGN_IN = {
  ...COMMON,
  isOpen: true,
  method: 'post',
  operation: 'sign_in',
  body: { id: 'SignIn', fields: ['token'], required: true },
  errors: ['auth_required', 'conflict', 'too_many_requests', 'unavailable'],
  example: { body: { token: 'the access token' }, response: EXAMPLE },
} as const;
const SIGN_OUT = {
  ...COMMON,
  method: 'delete',
  operation: 'sign_out',
  example: { response: { ...EXAMPLE, signedIn: false, role: null } },
} as const;

/** Descriptions of the session routes. */
export const SESSION_FACTS: readonly RouteFacts[] = [READ, SIGN_IN, SIGN_OUT];

/** Routes for the session of the caller. */
export function sessionRoutes(deps: SessionDeps): SessionRoute[] {
  const { auth, onSessionsChanged } = deps;
  const look: Respond = async (asking) => {
    const seen = await auth.look(asking);
    return seen.ok ? reply(seen.value) : failure(refusalOfAuth(seen.error));
  };
  const signIn: Respond = async (asking, read) => {
    const input = checkSignIn(read.input);
    if (read.refusal !== null) return failure(read.refusal);
    const faults = read.faults.length > 0 || input.ok ? read.faults : input.issues;
    if (!input.ok || faults.length > 0) return failure(invalidRequest(faults));
    const begun = await auth.signIn(asking, input.value.token);
    // It replaces the session of the request.
    if (begun.ok) onSessionsChanged();
    return changed(begun);
  };
  const signOut: Respond = async (asking) => {
    const ended = await auth.signOut(asking);
    onSessionsChanged();
    return changed(ended);
  };
  return [
    { facts: READ, respond: responder(deps, READ, look) },
    { facts: SIGN_IN, respond: responder(deps, SIGN_IN, signIn) },
    { facts: SIGN_OUT, respond: responder(deps, SIGN_OUT, signOut) },
  ];
}

const checkSignIn = createValidator(SIGN_IN_INPUT);

interface SessionReply {
  readonly view: object;
  readonly cookie: string | null;
}

type Respond = (asking: GateRequest, read: ReadInput) => Promise<Result<SessionReply, Refusal>>;

function reply(view: object): Result<SessionReply, Refusal> {
  return { ok: true, value: { view, cookie: null } };
}

function changed(
  result: Awaited<ReturnType<BrowserAuth['signIn']>>,
): Result<SessionReply, Refusal> {
  return result.ok ? result : failure(refusalOfAuth(result.error));
}

function responder({ logger }: SessionDeps, facts: RouteFacts, respond: Respond) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      const read = await readInput(facts, request);
      if (read === null) return;
      const isReadable = facts.body !== undefined || read.faults.length === 0;
      const result = isReadable
        ? await respond(gateRequestOf(request), read)
        : failure(read.refusal ?? invalidRequest(read.faults));
      if (!result.ok) {
        sendRefusal(request, response, result.error);
        return;
      }
      const { view, cookie } = result.value;
      if (cookie !== null) response.set('Set-Cookie', cookie);
      sendJson(request, response, facts.status, view);
    } catch (error) {
      sendRefusal(request, response, failed(logger, facts, error));
    }
  };
}

function failed(logger: Logger, facts: RouteFacts, error: unknown): Refusal {
  if (error instanceof SvcError && error.code === 'unavailable') {
    const message = messageOf(error);
    logger.warn({ operation: facts.operation, error: message }, 'session not saved');
    return { code: 'unavailable', message };
  }
  logFailure(logger, facts.operation, error);
  return INTERNAL;
}
