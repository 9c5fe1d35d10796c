import { failure, type Result, success } from '@svc/core';
import type { Ops } from '@svc/ops';
import { isSlug } from '@svc/trigger-schema';
import type { Request, Response } from 'express';
import { sendRefusal } from './answer.ts';
import { readQuery } from './dispatch.ts';
import { NO_PROJECT, type Refusal } from './errors.ts';
import { type EventStreams, STREAM_HEADERS } from './events.ts';
import { type QuerySpec, query } from './input.ts';
import type { RouteFacts } from './route.ts';

interface EventQuery {
  readonly project?: string;
}

/** The route that streams changes. It is no `Route`, since its answer has no end. */
export function eventRoute(): RouteFacts<EventQuery> {
  const project = { type: 'string', description: 'Slug: only changes of this project.' } as const;
  return {
    method: 'get',
    path: '/events',
    operation: 'follow_changes',
    tag: 'service',
    summary:
      'Changes as server-sent events named project, triggers, run and chat: what to fetch again. A reset event says that some were missed.',
    status: 200,
    mediaType: 'text/event-stream',
    query: query({ project }) as QuerySpec<EventQuery>,
    headers: { 'Last-Event-ID': 'Id of the last event seen: what came after it is told first.' },
    response: { type: 'string' },
    errors: ['not_found', 'unavailable'],
  };
}

/** Makes what answers the route that streams changes. */
export function eventResponder(
  ops: Ops,
  streams: EventStreams,
  route: RouteFacts,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    const project = await projectOf(ops, streams, route, request);
    if (!project.ok) {
      sendRefusal(request, response, project.error);
      return;
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, STREAM_HEADERS).end();
      return;
    }
    const after = request.get('Last-Event-ID') || null;
    streams.open(response, { after, project: project.value });
  };
}

async function projectOf(
  ops: Ops,
  streams: EventStreams,
  route: RouteFacts,
  request: Request,
): Promise<Result<string | null, Refusal>> {
  const read = readQuery(route, request);
  if (!read.ok) return read;
  const { project = null } = read.value as EventQuery;
  if (project !== null) {
    if (!isSlug(project)) return failure(NO_PROJECT);
    const known = await ops.projects.get(project);
    if (!known.ok) return known;
  }
  // Asked last: the surface may have been closed while the project was looked up.
  return streams.closed ? failure(CLOSING) : success(project);
}

const CLOSING: Refusal = {
  code: 'unavailable',
  message: 'The service is shutting down: connect again in a moment.',
};
