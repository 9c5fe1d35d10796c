import { success } from '@svc/core';
import { runSchema } from '@svc/records';
import { exactly, listOf, textOrNull } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { PAGE, PAGE_QUERY, queryOf } from './shared.ts';

const allRunPageSchema = {
  $id: 'AllRunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: {
      ...textOrNull,
      description: 'Pass as `cursor` to get the next page, even if this one is not full.',
    },
  }),
} as const;

export const listAllRuns = defineOperation({
  name: 'list_all_runs',
  summary: 'List the runs of all projects, newest first.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: PAGE,
  },
  output: allRunPageSchema,
  http: {
    method: 'get',
    path: '/runs',
    tag: 'runs',
    status: 200,
    query: PAGE_QUERY,
    example: { response: { runs: [sample.run], next: null } },
  },
  tool: null,
  async run({ services: { deps }, target }, page) {
    const { limit = 50, trigger: _, ...query } = queryOf(page, undefined);
    return success(
      await deps.store.runs.listAll({ ...query, slugs: new Set(target.slugs), limit }),
    );
  },
});
