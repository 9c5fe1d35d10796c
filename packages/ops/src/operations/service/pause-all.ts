import { count, exactly, text } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { pausedSchema } from './shared.ts';

export const pauseAll = defineOperation({
  name: 'pause_all',
  summary:
    'Pause all triggers: slots and events are recorded as skipped_paused. Run now and chats still work.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      reason: {
        type: 'string',
        maxLength: 500,
        description: 'Reason, in one line, visible to all users. Default: none.',
      },
      stopRunning: {
        type: 'boolean',
        description: 'Whether to cancel running turns of triggers. Default: false.',
      },
    },
  },
  output: {
    $id: 'PausedNow',
    ...exactly({
      paused: pausedSchema,
      replaced: {
        anyOf: [pausedSchema, { type: 'null' }],
        description: 'The pause that was replaced; null if there was none.',
      },
      servers: { ...count, description: 'Number of servers it applies to.' },
      answeredBy: { ...text, description: 'Id of the server that answered.' },
      stopped: { ...count, description: 'Number of trigger turns being cancelled.' },
    }),
  },
  http: {
    method: 'post',
    path: '/pause',
    tag: 'service',
    status: 200,
    body: { id: 'PauseWish', fields: ['reason', 'stopRunning'], required: false },
    example: {
      body: { reason: 'The wiki moves to another host.', stopRunning: true },
      response: {
        paused: { by: 'anna', at: sample.SLOT, reason: 'The wiki moves to another host.' },
        replaced: null,
        servers: 1,
        answeredBy: sample.atlas.id,
        stopped: 1,
      },
    },
  },
  tool: null,
  run: ({ nouns, caller }, { reason, stopRunning = false }) =>
    nouns.pausing.pause(caller, { reason, stopRunning }),
});
