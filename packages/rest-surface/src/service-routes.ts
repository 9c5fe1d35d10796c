import { type Route, route } from './route.ts';

/** Routes for the service itself. */
export function serviceRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/status',
      operation: 'read_status',
      tag: 'service',
      status: 200,
    }),
    route({
      method: 'get',
      path: '/nodes',
      operation: 'list_nodes',
      tag: 'service',
      status: 200,
    }),
    route({
      method: 'get',
      path: '/logs',
      operation: 'read_logs',
      tag: 'service',
      status: 200,
      query: { after: 'after', limit: 'limit' },
    }),
    route({
      method: 'post',
      path: '/pause',
      operation: 'pause_all',
      tag: 'service',
      status: 200,
      body: { id: 'PauseWish', fields: ['reason', 'stopRunning'], required: false },
    }),
    route({
      method: 'post',
      path: '/resume',
      operation: 'resume_all',
      tag: 'service',
      status: 200,
    }),
    route({
      method: 'post',
      path: '/alerts/test',
      operation: 'test_alerts',
      tag: 'service',
      status: 200,
      body: { id: 'AlertTest', fields: ['sink'], required: false },
    }),
    route({
      method: 'get',
      path: '/settings',
      operation: 'read_settings',
      tag: 'service',
      status: 200,
    }),
  ];
}
