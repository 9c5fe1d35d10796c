import { runSchema } from '@svc/records';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';

export const findRun = defineOperation({
  name: 'find_run',
  summary: 'Get a run of any project.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  subject: 'run_id',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['run_id'],
    properties: { run_id: { type: 'string', description: 'Id of the run (a UUID).' } },
  },
  output: runSchema,
  http: {
    method: 'get',
    path: '/runs/:runId',
    tag: 'runs',
    status: 200,
    example: { response: sample.run },
  },
  tool: null,
  run: ({ nouns, target }, { run_id: id }) => nouns.runs.find(target.slugs, id),
});
