import { success } from '@svc/core';
import { count, exactly, listOf, text } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';

export const readLogs = defineOperation({
  name: 'read_logs',
  summary: 'Get the newest log lines of the answering process, or those after a given line number.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      after: { type: 'integer', minimum: 0, description: '`last` of an earlier response.' },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    },
  },
  output: {
    $id: 'LogPage',
    ...exactly({
      lines: {
        ...listOf({
          type: 'object',
          description: 'The logged line: time, level (10 trace to 60 fatal), msg and fields.',
        }),
        description: 'Oldest first.',
      },
      last: { ...count, description: 'Pass as `after` to get later lines.' },
      dropped: { ...count, description: 'Number of lines after `after` that are no longer kept.' },
      node: { ...text, description: 'Id of the process that logged them.' },
    }),
  },
  http: {
    method: 'get',
    path: '/logs',
    tag: 'service',
    status: 200,
    query: { after: 'after', limit: 'limit' },
    example: {
      response: {
        lines: [{ level: 30, time: sample.SLOT, url: 'http://127.0.0.1:7420', msg: 'listening' }],
        last: 1,
        dropped: 0,
        node: sample.atlas.id,
      },
    },
  },
  tool: null,
  async run({ services: { deps } }, { after = null, limit = 100 }) {
    const page = deps.logTail?.read(after, limit) ?? { lines: [], last: 0, dropped: 0 };
    return success({ ...page, node: deps.store.nodeId });
  },
});
