import { failure, type Result, success } from '@svc/core';
import type { VisibleChanges } from '@svc/ops';
import type { Request, Response } from 'express';
import { sendRefusal } from './answer.ts';
import { callOperation, type DispatchDeps } from './dispatch.ts';
import type { Refusal } from './errors.ts';
import { type EventStreams, STREAM_HEADERS } from './events.ts';
import { readAddress } from './input.ts';
import { routeOf } from './route.ts';

const ROUTE = routeOf('follow_changes');

/** Dependencies of the streams of changes. */
export interface EventDeps extends DispatchDeps {
  /** Whether the caller is still signed in. */
  readonly isStillKnown: (request: Request) => Promise<boolean>;
  /** When the credential of the caller expires, in milliseconds since 1970; null if it does not say. */
  readonly expiresAt: (request: Request) => number | null;
}

/** Creates the handler of the route that streams changes, whose response does not end. */
export function eventResponder(
  deps: EventDeps,
  streams: EventStreams,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    const changes = await changesFor(deps, streams, request);
    if (!changes.ok) {
      sendRefusal(request, response, changes.error);
      return;
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, STREAM_HEADERS).end();
      return;
    }
    const after = request.get('Last-Event-ID') || null;
    streams.open(response, {
      changes: changes.value,
      after,
      isAllowed: () => deps.isStillKnown(request),
      expiresAt: deps.expiresAt(request),
    });
  };
}

async function changesFor(
  deps: DispatchDeps,
  streams: EventStreams,
  request: Request,
): Promise<Result<VisibleChanges, Refusal>> {
  const { address: input, faults } = readAddress(ROUTE, request);
  const read = { input, faults, partial: false, refusal: null };
  const changes = await callOperation(deps, ROUTE, request, read);
  if (!changes.ok) return changes;
  // Checked last, because the surface may have been closed while the project was looked up.
  return streams.closed ? failure(CLOSING) : success(changes.value);
}

const CLOSING: Refusal = {
  code: 'unavailable',
  message: 'The service is shutting down: connect again in a moment.',
};
