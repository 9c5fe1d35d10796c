import { success } from '@svc/core';
import { exactly, listOf } from '../../common.schema.ts';
import { runtimeStateSchema } from '../../queries/trigger-states.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ofProject } from '../shared-schemas.ts';

const triggerRuntimeSchema = {
  $id: 'TriggerRuntime',
  ...exactly({
    runtime: listOf(runtimeStateSchema),
  }),
} as const;

export const readTriggerRuntime = defineOperation({
  name: 'read_trigger_runtime',
  summary: 'Get the armed state and next run of triggers and legacy schedules. Cheap to poll.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: triggerRuntimeSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers/runtime',
    tag: 'triggers',
    status: 200,
    example: {
      response: {
        runtime: [
          {
            name: 'nightly',
            source: 'trigger',
            type: 'schedule',
            armed: true,
            nextFire: sample.NEXT,
            timezone: 'Europe/Berlin',
            running: false,
            paused: false,
          },
        ],
      },
    },
  },
  tool: null,
  async run({ services, target }) {
    const { file } = target;
    return success({ runtime: file === null ? [] : await services.statesOf(target, file) });
  },
});
