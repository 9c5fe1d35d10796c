import { type Route, route } from './route.ts';

const PAGE = { outcome: 'outcome', from: 'from', limit: 'limit', cursor: 'cursor' };

/** Routes for runs. */
export function runRoutes(): Route[] {
  return [...ofAllProjects(), ...ofOneProject()];
}

function ofAllProjects(): Route[] {
  return [
    route({
      method: 'get',
      path: '/runs',
      operation: 'list_all_runs',
      tag: 'runs',
      status: 200,
      query: PAGE,
    }),
    route({
      method: 'get',
      path: '/runs/:runId',
      operation: 'find_run',
      tag: 'runs',
      status: 200,
    }),
  ];
}

function ofOneProject(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/runs',
      operation: 'list_runs',
      tag: 'runs',
      status: 200,
      query: { trigger: 'trigger', ...PAGE },
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/:name/runs',
      operation: 'list_trigger_runs',
      tag: 'runs',
      status: 200,
      query: PAGE,
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/:name/why',
      operation: 'why_trigger',
      tag: 'runs',
      status: 200,
      query: { at: 'at', source: 'source' },
    }),
    route({
      method: 'get',
      path: '/projects/:slug/triggers/:name/changes',
      operation: 'list_trigger_changes',
      tag: 'runs',
      status: 200,
      query: { source: 'source', limit: 'limit', cursor: 'cursor' },
    }),
    route({
      method: 'get',
      path: '/projects/:slug/runs/:runId',
      operation: 'read_run',
      tag: 'runs',
      status: 200,
    }),
    route({
      method: 'post',
      path: '/projects/:slug/runs/:runId/cancel',
      operation: 'cancel_run',
      tag: 'runs',
      status: 202,
      errors: ['conflict'],
    }),
    route({
      method: 'get',
      path: '/projects/:slug/events',
      operation: 'list_events',
      tag: 'runs',
      status: 200,
      query: { event: 'event', id: 'id', limit: 'limit', cursor: 'cursor' },
    }),
  ];
}

/** Routes for upcoming runs. */
export function forecastRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/upcoming',
      operation: 'list_upcoming',
      tag: 'triggers',
      status: 200,
      query: { hours: 'hours' },
    }),
    route({
      method: 'get',
      path: '/preview',
      operation: 'preview_schedule',
      tag: 'triggers',
      status: 200,
      query: { cron: 'cron', interval: 'interval', timezone: 'timezone', count: 'count' },
    }),
  ];
}
