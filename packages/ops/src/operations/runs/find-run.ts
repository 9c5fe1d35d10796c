import { failure, isId, success } from '@svc/core';
import { notFound } from '@svc/engine';
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
  async run({ services: { deps }, target }, { run_id: id }) {
    const run = isId(id) ? await deps.store.runs.find(id) : null;
    const isVisible = run !== null && target.slugs.includes(run.project);
    return isVisible ? success(run) : failure(notFound('run'));
  },
});
