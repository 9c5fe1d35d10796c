import { success } from '@svc/core';
import { BUILT_IN_TOOLS } from '@svc/records';
import { triggerListSchema } from '../../queries/trigger-list.schema.ts';
import { CHOICES } from '../../queries/trigger-list.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ofProject } from '../shared-schemas.ts';

export const listTriggerRecords = defineOperation({
  name: 'list_trigger_records',
  summary: 'List the triggers of a project, and the choices for creating one.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: triggerListSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers',
    id: 'list_triggers',
    tag: 'triggers',
    status: 200,
    example: {
      response: {
        triggers: [
          {
            ...sample.record,
            lastRun: sample.run,
            recentRuns: [
              {
                id: sample.RUN_ID,
                state: 'ended',
                outcome: 'succeeded',
                reason: null,
                at: sample.SLOT,
              },
            ],
            upcoming: [sample.NEXT],
            usage: { today: sample.used, month: { ...sample.used, runs: 22 } },
            runtimeInForce: 'native',
            schedule: {
              description: 'At 03:00 every day',
              timezone: 'Europe/Berlin',
              firesPerDay: 1,
            },
            etag: '"m1l5bVxXJq8Qn2rUe0Kz4w"',
          },
        ],
        invalid: [],
        legacySchedules: [],
        ...CHOICES,
        catalog: { ...CHOICES, tools: BUILT_IN_TOOLS },
      },
    },
  },
  tool: null,
  run: async ({ services, target, tools }) =>
    success({ ...(await services.listTriggers(target)), catalog: { ...CHOICES, tools } }),
});
