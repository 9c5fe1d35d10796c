import { runSchema } from '@svc/records';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ONE_RUN, runOf } from './shared.ts';

export const readRun = defineOperation({
  name: 'read_run',
  summary: 'One run.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'run_id',
  input: ONE_RUN,
  output: runSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/runs/:runId',
    tag: 'runs',
    status: 200,
    example: { response: sample.run },
  },
  tool: null,
  run: ({ services: { deps }, target }, { run_id: id }) => runOf(deps.store, target.slug, id),
});
