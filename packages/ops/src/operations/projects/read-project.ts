import { success } from '@svc/core';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ofProject } from '../shared-schemas.ts';
import { projectSchema, viewOf } from './shared.ts';

export const readProject = defineOperation({
  name: 'read_project',
  summary: 'Get a project.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: projectSchema,
  http: {
    method: 'get',
    path: '/projects/:slug',
    tag: 'projects',
    status: 200,
    example: { response: sample.project },
  },
  tool: null,
  run: async ({ target }) => success(viewOf(target)),
});
