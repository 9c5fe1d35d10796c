import { type Route, route } from './route.ts';

/** Routes for projects. */
export function projectRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects',
      operation: 'list_project_records',
      id: 'list_projects',
      tag: 'projects',
      status: 200,
    }),
    route({
      method: 'post',
      path: '/projects',
      operation: 'create_project',
      tag: 'projects',
      status: 201,
      body: {
        id: 'NewProject',
        fields: ['name', 'slug', 'summary', 'area', 'status', 'repo'],
        required: true,
      },
      errors: ['conflict', 'unavailable'],
    }),
    route({
      method: 'get',
      path: '/projects/:slug',
      operation: 'read_project',
      tag: 'projects',
      status: 200,
    }),
    route({
      method: 'get',
      path: '/projects/:slug/usage',
      operation: 'read_usage',
      tag: 'projects',
      status: 200,
      query: { days: 'days' },
    }),
  ];
}
