import { success } from '@svc/core';
import { EVENTS } from '@svc/records';
import { defineOperation, type OperationRow } from './operation.ts';
import { eventPageSchema } from './project-answers.schema.ts';
import { PAGING, projectAddress } from './shared-schemas.ts';

export const listEvents: OperationRow<'list_events'> = defineOperation({
  name: 'list_events',
  summary: 'Events of a project and the runs they started, newest first.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      event: { enum: EVENTS, description: 'Only events of this kind.' },
      id: {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        minItems: 1,
        maxItems: 200,
        description: 'Only these events, by id.',
      },
      ...PAGING,
    },
  },
  output: eventPageSchema,
  tool: null,
  run: async ({ nouns, target }, { project: _, id: ids, limit = 50, ...filter }) => {
    const query = { ...filter, ...(ids === undefined ? {} : { ids }), limit };
    return success(await nouns.events.list(target.slug, query));
  },
});
