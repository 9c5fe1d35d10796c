import { success } from '@svc/core';
import { exactly, integer, text, textOrNull } from '../../common.schema.ts';
import { defineOperation, READING } from '../operation.ts';
import { type ProjectView, snapshotsOf, viewOf } from './shared.ts';

export const listProjects = defineOperation({
  name: 'list_projects',
  summary: 'List projects.',
  policy: { effect: 'reads', target: 'enumerates', gate: 'read', runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  http: null,
  tool: {
    title: 'List projects',
    description:
      'List the visible projects with slug (the `project` argument of all other tools), display name, area and status. Read-only.',
    ...READING,
    output: exactly({
      count: integer,
      projects: {
        type: 'array',
        items: exactly(
          {
            slug: text,
            name: text,
            status: textOrNull,
          },
          {
            area: text,
          },
        ),
      },
    }),
  },
  run: async ({ services: { deps }, target }) =>
    success({ projects: (await snapshotsOf(deps, target.slugs)).map(viewOf) }),
  toToolResult: ({ projects }) => ({
    count: projects.length,
    projects: projects.map(projectEntry),
  }),
});

function projectEntry({ slug, name, area, status }: ProjectView) {
  return { slug, name, ...(area === null ? {} : { area }), status };
}
