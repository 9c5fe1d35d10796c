import { success } from '@svc/core';
import { defineOperation, type OperationRow } from './operation.ts';

export const followChanges: OperationRow<'follow_changes'> = defineOperation({
  name: 'follow_changes',
  summary:
    'Changes as server-sent events named project, triggers, run and chat: what to fetch again. A reset event says that some were missed.',
  policy: { effect: 'reads', target: 'changes', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      project: { type: 'string', minLength: 1, description: 'Slug: only changes of this project.' },
    },
  },
  output: null,
  tool: null,
  run: async ({ nouns, target: { sees } }) =>
    success({
      subscribe: (after, on, passedOver) =>
        nouns.changes.subscribe(after, (item) => {
          if ('reset' in item || sees(item.project)) on(item);
          else passedOver(item.eventId);
        }),
    }),
});

export const readOpenApi: OperationRow<'read_openapi'> = defineOperation({
  name: 'read_openapi',
  summary: 'This document.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  tool: null,
  run: async () => success(null),
});
