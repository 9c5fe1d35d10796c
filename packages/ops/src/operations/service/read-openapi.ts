import { success } from '@svc/core';
import { defineOperation } from '../operation.ts';

export const readOpenApi = defineOperation({
  name: 'read_openapi',
  summary: 'This document.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  http: {
    method: 'get',
    path: '/openapi.json',
    tag: 'service',
    status: 200,
    response: { type: 'object' },
  },
  tool: null,
  run: async () => success(null),
});
