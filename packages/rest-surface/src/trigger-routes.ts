import { success } from '@svc/core';
import { type AcceptedTrigger, USER } from '@svc/ops';
import { triggerPutSchema } from '@svc/trigger-schema';
import { bodyPassedOn } from './input.ts';
import { type Reply, type Route, type RouteRequest, reply, route } from './route.ts';
import {
  firedTriggerSchema,
  removedTriggerSchema,
  runtimeSchema,
  triggerListSchema,
  triggerSchema,
  verdictSchema,
} from './trigger-bodies.schema.ts';

/** Routes that read triggers. The fixed segment `runtime` stands before the variable one. */
export function triggerReadingRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/triggers',
      operation: 'list_triggers',
      tag: 'triggers',
      summary: 'The triggers of a project, and what there is to choose from.',
      status: 200,
      response: triggerListSchema,
      handle: async (ops, { project }) => reply(await ops.triggers.list(project), (list) => list),
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/runtime',
      operation: 'read_trigger_runtime',
      tag: 'triggers',
      summary: 'Whether and when triggers and legacy schedules fire next; cheap to poll.',
      status: 200,
      response: runtimeSchema,
      handle: async (ops, { project }) =>
        reply(await ops.triggers.runtime(project), (runtime) => ({ runtime })),
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/:name',
      operation: 'read_trigger',
      tag: 'triggers',
      summary: 'One trigger. What it answers can be put back.',
      status: 200,
      etag: true,
      headers: { 'If-None-Match': 'Entity tags: one that is current is answered with 304.' },
      response: triggerSchema,
      async handle(ops, { project, name }) {
        const found = await ops.triggers.get(project, name);
        return found.ok ? success(recordReply(found.value)) : found;
      },
    }),
    route({
      method: 'post',
      path: '/projects/:slug/validate-trigger',
      operation: 'validate_trigger',
      tag: 'triggers',
      summary: 'Checks a trigger without storing it.',
      status: 200,
      body: bodyPassedOn(triggerPutSchema),
      response: verdictSchema,
      handle: async (ops, { project, body }) =>
        reply(await ops.triggers.validate(project, body), (verdict) => verdict),
    }),
  ];
}

const CONDITIONS = {
  'If-Match': 'Entity tags: changes the trigger only while it has one of them; * means any.',
  'If-None-Match': '* changes the trigger only while it does not exist.',
};

/** Routes that change and fire triggers. */
export function triggerChangingRoutes(): Route[] {
  return [
    route({
      method: 'put',
      path: '/projects/:slug/triggers/:name',
      operation: 'set_trigger',
      tag: 'triggers',
      summary: 'Creates or replaces a trigger. Absent `enabled` means false.',
      changes: true,
      status: 200,
      etag: true,
      headers: CONDITIONS,
      body: bodyPassedOn(triggerPutSchema),
      response: triggerSchema,
      errors: ['conflict', 'precondition_failed', 'unavailable'],
      async handle(ops, request) {
        const { project, name, body } = request;
        const put = await ops.triggers.put(USER, project, name, body, conditionOf(request));
        return put.ok ? success(recordReply(put.value)) : put;
      },
    }),
    route({
      method: 'delete',
      path: '/projects/:slug/triggers/:name',
      operation: 'remove_trigger',
      tag: 'triggers',
      summary: 'Deletes and disarms a trigger.',
      changes: true,
      status: 200,
      headers: CONDITIONS,
      response: removedTriggerSchema,
      errors: ['conflict', 'precondition_failed', 'unavailable'],
      async handle(ops, request) {
        const { project, name } = request;
        const gone = await ops.triggers.remove(USER, project, name, conditionOf(request));
        return reply(gone, ({ removed }) => ({ ok: true, name, removed }));
      },
    }),
    route({
      method: 'post',
      path: '/projects/:slug/triggers/:name/run',
      operation: 'run_trigger',
      tag: 'triggers',
      summary: 'Fires a trigger now, also a disabled one.',
      changes: true,
      status: 202,
      response: firedTriggerSchema,
      errors: ['conflict', 'run_failed', 'not_runnable'],
      async handle(ops, { project, name }) {
        const fired = await ops.triggers.run(USER, project, name);
        return reply(fired, ({ sessionId, runId }) => ({ ok: true, name, sessionId, runId }));
      },
    }),
  ];
}

function recordReply(stored: Omit<AcceptedTrigger, 'created'>): Reply {
  const { record, warnings, etag } = stored;
  return { body: warnings.length === 0 ? record : { ...record, warnings }, etag };
}

function conditionOf({ headers }: RouteRequest<unknown, unknown>): {
  ifMatch?: string;
  ifNoneMatch?: string;
} {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  return {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}
