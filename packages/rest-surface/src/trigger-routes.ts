import {
  type AcceptedTrigger,
  firedTriggerSchema,
  removedTriggerSchema,
  triggerAnswerSchema,
} from '@svc/ops';
import { type Reply, type Route, route } from './route.ts';

/** Routes that read triggers. The fixed segment `runtime` precedes the parameter. */
export function triggerReadingRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/triggers',
      operation: 'list_trigger_records',
      id: 'list_triggers',
      tag: 'triggers',
      status: 200,
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/runtime',
      operation: 'read_trigger_runtime',
      tag: 'triggers',
      status: 200,
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/:name',
      operation: 'read_trigger',
      tag: 'triggers',
      status: 200,
      etag: true,
      headers: {
        'If-None-Match': {
          description: 'Entity tags: if one of them is current, the response is 304.',
        },
      },
      response: triggerAnswerSchema,
      toReply: recordReply,
    }),
    route({
      method: 'post',
      path: '/projects/:slug/validate-trigger',
      operation: 'validate_trigger',
      tag: 'triggers',
      status: 200,
      query: { name: 'name' },
      body: { field: 'record', required: true },
    }),
  ];
}

const CONDITIONS = {
  'If-Match': { field: 'if_match' },
  'If-None-Match': { field: 'if_none_match' },
};

/** Routes that change and fire triggers. */
export function triggerChangingRoutes(): Route[] {
  return [
    route({
      method: 'put',
      path: '/projects/:slug/triggers/:name',
      operation: 'put_trigger',
      id: 'set_trigger',
      tag: 'triggers',
      status: 200,
      etag: true,
      headers: CONDITIONS,
      body: { field: 'record', required: true },
      response: triggerAnswerSchema,
      errors: ['conflict', 'precondition_failed', 'unavailable'],
      toReply: recordReply,
    }),
    route({
      method: 'delete',
      path: '/projects/:slug/triggers/:name',
      operation: 'remove_trigger',
      tag: 'triggers',
      status: 200,
      headers: CONDITIONS,
      response: removedTriggerSchema,
      errors: ['conflict', 'precondition_failed', 'unavailable'],
      toReply: ({ name, removed }) => ({ body: { ok: true, name, removed } }),
    }),
    route({
      method: 'post',
      path: '/projects/:slug/triggers/:name/run',
      operation: 'run_trigger',
      tag: 'triggers',
      status: 202,
      body: { id: 'TriggerTrial', fields: ['event'], required: false },
      response: firedTriggerSchema,
      errors: ['conflict', 'run_failed', 'not_runnable'],
      toReply: ({ name, sessionId, runId, notice }) => ({
        body: { ok: true, name, sessionId, runId, ...(notice === undefined ? {} : { notice }) },
      }),
    }),
    route({
      method: 'post',
      path: '/projects/:slug/triggers/:name/resume',
      operation: 'resume_trigger',
      tag: 'triggers',
      status: 200,
    }),
  ];
}

function recordReply({ record, warnings, etag }: Omit<AcceptedTrigger, 'created'>): Reply {
  return { body: warnings.length === 0 ? record : { ...record, warnings }, etag };
}

/** Routes that read prompt files. */
export function promptFileRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/prompt-files',
      operation: 'list_prompt_files',
      tag: 'triggers',
      status: 200,
    }),
    route({
      method: 'get',
      path: '/projects/:slug/prompt-files/:file',
      operation: 'read_prompt_file',
      tag: 'triggers',
      status: 200,
      query: { source: 'source' },
    }),
  ];
}
