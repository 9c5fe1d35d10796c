import { success } from '@svc/core';
import { defineOperation, READING } from '../operation.ts';
import { objectOf, RESULT } from '../shared-schemas.ts';
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
    output: objectOf({
      count: RESULT.integer,
      projects: {
        type: 'array',
        items: objectOf(
          {
            slug: RESULT.text,
            name: RESULT.text,
            area: RESULT.text,
            status: RESULT.textOrNull,
          },
          ['area'],
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
