import { success } from '@svc/core';
import type { Answer, FeedItem } from '@svc/engine';
import { defineOperation } from '../operation.ts';

/** The changes that a caller sees. */
export interface VisibleChanges {
  /**
   * Calls back for every change after `after` (an event id; null: from now on), and with the id of each skipped event.
   * With null, the last event so far is reported as skipped at once. Returns how to stop.
   */
  subscribe(
    after: string | null,
    on: (item: FeedItem) => void,
    skipped: (eventId: string) => void,
  ): () => void;
}

export const followChanges = defineOperation({
  name: 'follow_changes',
  summary:
    'Stream changes as server-sent events named project, triggers, run, event and chat. Each names what to fetch again; reset means that events were missed.',
  policy: { effect: 'reads', target: 'changes', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      project: {
        type: 'string',
        minLength: 1,
        description: 'Only changes in the project with this slug.',
      },
    },
  },
  output: null,
  http: {
    method: 'get',
    path: '/events',
    tag: 'service',
    status: 200,
    mediaType: 'text/event-stream',
    query: { project: 'project' },
    headers: {
      'Last-Event-ID': {
        description: 'Id of the last event received: later events are sent first.',
      },
    },
    response: { type: 'string' },
    errors: ['not_found', 'unavailable'],
  },
  tool: null,
  run: async ({ services: { deps }, target: { sees } }): Answer<VisibleChanges> =>
    success({
      subscribe: (after, on, skipped) => {
        if (after === null) skipped(deps.changes.lastId);
        return deps.changes.subscribe(after, (item) => {
          if ('reset' in item || sees(item.project)) on(item);
          else skipped(item.eventId);
        });
      },
    }),
});
