import { success } from '@svc/core';
import { exactly, listOf } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { nodeSchema, serversOf } from './shared.ts';

export const listNodes = defineOperation({
  name: 'list_nodes',
  summary: 'List the servers that share the database, oldest first.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ServiceNodes', ...exactly({ nodes: listOf(nodeSchema) }) },
  http: {
    method: 'get',
    path: '/nodes',
    tag: 'service',
    status: 200,
    example: {
      response: {
        nodes: [
          sample.atlas,
          { ...sample.atlas, id: '01990c2e-6f02-7a19-b3d4-0e7c6a2f8b51', host: 'bora', running: 0 },
        ],
      },
    },
  },
  tool: null,
  run: async ({ services: { deps } }) => success({ nodes: await serversOf(deps) }),
});
