import { success } from '@svc/core';
import { DAILY_LIMITS } from '@svc/engine';
import { TRIGGER_TYPES } from '@svc/records';
import {
  count,
  exactly,
  flag,
  listOf,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ofProject } from '../shared-schemas.ts';
import { attentionSchema, clockStateSchema, zoneDataStateSchema } from './shared.ts';

const triggerRuntimeSchema = {
  $id: 'TriggerRuntime',
  ...exactly({
    runtime: listOf(
      exactly(
        {
          name: text,
          source: { enum: ['trigger', 'schedule'] },
          type: { enum: TRIGGER_TYPES },
          armed: flag,
          nextFire: timeOrNull,
          timezone: textOrNull,
          running: flag,
          paused: {
            ...flag,
            description: 'Whether it is paused, with all triggers or after failures.',
          },
        },
        {
          startDelayMs: {
            ...count,
            description: 'Delay of each start in milliseconds, set by policy.jitter.',
          },
          reason: {
            ...text,
            description: 'Why it is not armed, is paused, or cannot work although armed.',
          },
          pausedAfterFailures: {
            ...exactly({ at: time, reason: text }),
            description: 'Its own pause, since when and why; absent if none.',
          },
          attention: attentionSchema,
          limited: {
            ...exactly({
              limit: { enum: DAILY_LIMITS, description: 'This list may grow.' },
              until: { ...time, description: 'End of the day in the time zone of the host.' },
            }),
            description:
              'Present if a daily limit prevents further starts today; `nextFire` is then the first slot after that.',
          },
          clock: clockStateSchema,
          zoneData: zoneDataStateSchema,
        },
      ),
    ),
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
