import { failure, success } from '@svc/core';
import { noTrigger } from '@svc/engine';
import { validateTriggerName } from '@svc/trigger-schema';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';
import { PAGE, PAGE_QUERY, queryOf, runPageSchema, runsOf } from './shared.ts';

export const listTriggerRuns = defineOperation({
  name: 'list_trigger_runs',
  summary: 'List the runs of a trigger, newest first, even if it has been removed.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: {
      project: projectAddress,
      name: { type: 'string', description: 'Name of a trigger or legacy schedule.' },
      ...PAGE,
    },
  },
  output: runPageSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers/:name/runs',
    tag: 'runs',
    status: 200,
    query: PAGE_QUERY,
    example: { response: sample.page },
  },
  tool: null,
  async run({ services: { deps }, target }, { project: _, name, ...page }) {
    if (!validateTriggerName(name).ok) {
      return failure(noTrigger(target, { name, source: 'trigger' }));
    }
    return success(await runsOf(deps.store, target.slug, queryOf(page, name)));
  },
});
