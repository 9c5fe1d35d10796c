import { success } from '@svc/core';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';
import { PAGE, PAGE_QUERY, queryOf, runPageSchema, runsOf } from './shared.ts';

export const listRuns = defineOperation({
  name: 'list_runs',
  summary: 'List the runs of a project, newest first.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      trigger: {
        type: 'string',
        minLength: 1,
        description: 'Name of a trigger or legacy schedule.',
      },
      ...PAGE,
    },
  },
  output: runPageSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/runs',
    tag: 'runs',
    status: 200,
    query: { trigger: 'trigger', ...PAGE_QUERY },
    example: { response: sample.page },
  },
  tool: null,
  run: async ({ services: { deps }, target }, { project: _, trigger, ...page }) =>
    success(await runsOf(deps.store, target.slug, queryOf(page, trigger))),
});
