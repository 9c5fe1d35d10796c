import { success } from '@svc/core';
import { EVENTS, RUN_OUTCOMES, RUN_STATES } from '@svc/records';
import { exactly, listOf, text, textOrNull, time, timeOrNull } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { PAGING, projectAddress } from '../shared-schemas.ts';

const eventRunSchema = exactly({
  id: text,
  trigger: text,
  state: { enum: RUN_STATES },
  outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it ends.' },
});

const eventSchema = {
  $id: 'LifecycleEvent',
  ...exactly({
    id: text,
    event: { enum: EVENTS },
    sessionId: { ...textOrNull, description: 'The chat of the event.' },
    chat: { ...text, description: 'Name of the chat at that time.' },
    by: { ...textOrNull, description: 'Who archived it; null for the end of a turn.' },
    turnId: {
      ...textOrNull,
      description: 'The turn that ended or archived the chat; null if none.',
    },
    createdAt: time,
    dispatchedAt: {
      ...timeOrNull,
      description: 'When its runs were determined; null while pending.',
    },
    runs: {
      ...listOf(eventRunSchema),
      description: 'Empty if no trigger listened for it.',
    },
  }),
} as const;

const eventPageSchema = {
  $id: 'LifecycleEventPage',
  ...exactly({
    events: { ...listOf(eventSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Pass as `cursor` to get the next page.' },
  }),
} as const;

export const listEvents = defineOperation({
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
  http: {
    method: 'get',
    path: '/projects/:slug/events',
    tag: 'runs',
    status: 200,
    query: { event: 'event', id: 'id', limit: 'limit', cursor: 'cursor' },
    example: {
      response: {
        events: [
          {
            id: '01990c2e-79f0-7a11-9c3e-5b7d02e4a8f6',
            event: 'onArchive',
            sessionId: sample.SESSION_ID,
            chat: 'Release notes',
            by: 'user',
            turnId: null,
            createdAt: sample.SLOT,
            dispatchedAt: sample.SLOT,
            runs: [
              { id: sample.RUN_ID, trigger: 'on-archive', state: 'ended', outcome: 'succeeded' },
            ],
          },
        ],
        next: null,
      },
    },
  },
  tool: null,
  run: async ({ services, target }, { project: _, id: ids, limit = 50, ...filter }) => {
    const query = { ...filter, ...(ids === undefined ? {} : { ids }), limit };
    return success(await services.deps.store.events.list(target.slug, query));
  },
});
