import { runSchema } from '@svc/records';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ONE_RUN } from './shared.ts';

export const cancelRun = defineOperation({
  name: 'cancel_run',
  summary: 'Cancel a queued or running run.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: false },
  subject: 'run_id',
  input: ONE_RUN,
  output: runSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/runs/:runId/cancel',
    tag: 'runs',
    status: 202,
    errors: ['conflict'],
    example: {
      response: {
        ...sample.run,
        cause: 'manual',
        state: 'queued',
        scheduledFor: null,
        scheduledUntil: null,
        slotCount: 0,
        startedAt: null,
        endedAt: null,
        lateMs: null,
        outcome: null,
        turns: 0,
        toolCalls: 0,
        toolErrors: null,
        by: 'user',
        person: 'anna',
      },
    },
  },
  tool: null,
  run: ({ nouns, caller, target }, { run_id: id }) => nouns.runs.cancel(caller, target.slug, id),
});
