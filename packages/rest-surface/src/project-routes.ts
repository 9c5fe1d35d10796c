import { PROJECT_STATUSES } from '@svc/records';
import type { FromSchema } from 'json-schema-to-ts';
import { exactly, listOf } from './common.schema.ts';
import { body } from './input.ts';
import { createdProjectSchema, projectSchema } from './project-bodies.schema.ts';
import { type Route, reply, route } from './route.ts';

const newProjectSchema = {
  $id: 'NewProject',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    slug: { type: 'string', description: 'Default: the name in kebab-case.' },
    summary: { type: 'string', maxLength: 2000 },
    area: { type: 'string', maxLength: 200 },
    status: { enum: PROJECT_STATUSES },
    repo: {
      type: 'string',
      maxLength: 2048,
      description:
        'Git repository to clone, by https or ssh. A project.yaml that it brings is kept as it is.',
    },
  },
} as const;

/** Routes about projects. */
export function projectRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects',
      operation: 'list_projects',
      tag: 'projects',
      summary: 'All projects.',
      status: 200,
      response: { $id: 'ProjectList', ...exactly({ projects: listOf(projectSchema) }) },
      handle: async (ops) => ({
        ok: true,
        value: { body: { projects: await ops.projects.list() } },
      }),
    }),
    route({
      method: 'post',
      path: '/projects',
      operation: 'create_project',
      tag: 'projects',
      summary: 'Creates a project.',
      changes: true,
      status: 201,
      body: body<FromSchema<typeof newProjectSchema>>(newProjectSchema, { required: true }),
      response: createdProjectSchema,
      errors: ['conflict', 'unavailable'],
      async handle(ops, { body }) {
        const made = await ops.projects.create(body);
        return made.ok ? { ok: true, value: { body: made.value, target: made.value.slug } } : made;
      },
    }),
    route({
      method: 'get',
      path: '/projects/:slug',
      operation: 'read_project',
      tag: 'projects',
      summary: 'One project.',
      status: 200,
      response: projectSchema,
      handle: async (ops, { project }) => reply(await ops.projects.get(project), (view) => view),
    }),
  ];
}
