import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, text, textOrNull, time } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { projectAddress } from './shared-schemas.ts';
import { known } from './trigger-arguments.ts';

export const pausedSchema: JsonSchema = {
  $id: 'PausedAll',
  description: 'The pause of all triggers: since when, by whom and why.',
  ...exactly({
    by: { ...text, description: 'Name of the person; `user` if users are not identified.' },
    at: time,
    reason: textOrNull,
  }),
};

export const pauseAll: OperationRow<'pause_all'> = defineOperation({
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
  tool: null,
  run: ({ nouns, caller }, { reason, stopRunning = false }) =>
    nouns.pausing.pause(caller, { reason, stopRunning }),
});

export const resumeAll: OperationRow<'resume_all'> = defineOperation({
  name: 'resume_all',
  summary: 'Resume all triggers. Skipped slots are not caught up.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ResumedAll', ...exactly({ paused: { type: 'null' } }) },
  tool: null,
  run: ({ nouns, caller }) => nouns.pausing.resume(caller),
});

export const resumeTrigger: OperationRow<'resume_trigger'> = defineOperation({
  name: 'resume_trigger',
  summary:
    'Resume a trigger that was paused after failures, and reset its failure count, or an interval trigger that waits because its clock was set back; its interval then counts from now.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: { project: projectAddress, name: known },
  },
  output: {
    $id: 'ResumedTrigger',
    ...exactly({
      resumed: { ...flag, description: 'false if it was not paused.' },
      project: text,
      name: text,
    }),
  },
  tool: null,
  run: async ({ nouns, caller, target }, { name: key }) =>
    nouns.pausing.resumeTrigger(caller, target, key),
});
