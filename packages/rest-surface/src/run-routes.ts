import { type RunQuery, USER } from '@svc/ops';
import { RUN_OUTCOMES, runSchema } from '@svc/records';
import { validateTriggerName } from '@svc/trigger-schema';
import { query } from './input.ts';
import { previewSchema, runPageSchema, upcomingSchema } from './project-bodies.schema.ts';
import { type Route, reply, route } from './route.ts';

const PAGE = {
  outcome: {
    type: 'array',
    items: { enum: RUN_OUTCOMES },
    description: 'Only runs that ended in one of these ways, e.g. failed,timed_out.',
  },
  from: { type: 'string', format: 'date-time', description: 'Only runs claimed at or after it.' },
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  cursor: { type: 'string', format: 'uuid', description: '`next` of the page before.' },
} as const;

/** Routes about runs: what has been fired. */
export function runRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/runs',
      operation: 'list_runs',
      tag: 'runs',
      summary: 'The runs of a project, newest first.',
      status: 200,
      query: query({
        trigger: { type: 'string', description: 'Name of a trigger or legacy schedule.' },
        ...PAGE,
      }),
      response: runPageSchema,
      handle: async (ops, { project, query }) =>
        reply(await ops.runs.list(project, runQuery(query)), (page) => page),
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/:name/runs',
      operation: 'list_trigger_runs',
      tag: 'runs',
      summary: 'The runs of one trigger, newest first; also of one that has been removed.',
      status: 200,
      query: query(PAGE),
      response: runPageSchema,
      async handle(ops, { project, name, query }) {
        const known = await ops.projects.get(project);
        if (!known.ok) return known;
        const found = validateTriggerName(name).ok ? known : await ops.triggers.get(project, name);
        if (!found.ok) return found;
        const wanted = runQuery({ ...query, trigger: name });
        return reply(await ops.runs.list(project, wanted), (page) => page);
      },
    }),
    route({
      method: 'get',
      path: '/projects/:slug/runs/:runId',
      operation: 'read_run',
      tag: 'runs',
      summary: 'One run.',
      status: 200,
      response: runSchema,
      handle: async (ops, { project, id }) => reply(await ops.runs.get(project, id), (run) => run),
    }),
    route({
      method: 'post',
      path: '/projects/:slug/runs/:runId/cancel',
      operation: 'cancel_run',
      tag: 'runs',
      summary: 'Ends a queued or running run.',
      changes: true,
      status: 202,
      response: runSchema,
      errors: ['conflict'],
      handle: async (ops, { project, id }) =>
        reply(await ops.runs.cancel(USER, project, id), (run) => run),
    }),
  ];
}

function runQuery<Q extends { readonly outcome?: RunQuery['outcomes'] }>({ outcome, ...query }: Q) {
  return outcome === undefined ? query : { ...query, outcomes: outcome };
}

/** Routes about fires to come. */
export function forecastRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/upcoming',
      operation: 'list_upcoming',
      tag: 'triggers',
      summary: 'The fires of the coming hours, earliest first.',
      status: 200,
      query: query({ hours: { type: 'integer', minimum: 1, maximum: 168, default: 24 } }),
      response: upcomingSchema,
      handle: async (ops, { project, query }) =>
        reply(await ops.triggers.upcoming(project, query.hours ?? 24), (fires) => ({ fires })),
    }),
    route({
      method: 'get',
      path: '/preview',
      operation: 'preview_schedule',
      tag: 'triggers',
      summary: 'When a schedule would fire. Give exactly one of cron and interval.',
      status: 200,
      query: query({
        cron: { type: 'string', description: 'Cron expression of five fields, or a macro.' },
        interval: { type: 'string', description: 'Duration such as 30m.' },
        timezone: { type: 'string', description: 'IANA name, for cron only.' },
        count: { type: 'integer', minimum: 1, maximum: 100, default: 5 },
      }),
      response: previewSchema,
      handle: async (ops, { query }) => reply(ops.preview(query), (preview) => preview),
    }),
  ];
}
