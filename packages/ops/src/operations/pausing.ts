import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, text, textOrNull, time } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { projectAddress } from './shared-schemas.ts';
import { known } from './trigger-arguments.ts';

export const pausedSchema: JsonSchema = {
  $id: 'PausedAll',
  description: 'That nothing starts by itself, since when, by whom and why.',
  ...exactly({
    by: { ...text, description: 'Name of a person; `user` where people are not told apart.' },
    at: time,
    reason: textOrNull,
  }),
};

export const pauseAll: OperationRow<'pause_all'> = defineOperation({
  name: 'pause_all',
  summary:
    'Pauses everything that starts by itself: slots and events are recorded as skipped_paused. Run now and chats go on.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      reason: {
        type: 'string',
        maxLength: 500,
        description: 'Why, in one line; it is shown to everybody. Default: none.',
      },
      stopRunning: {
        type: 'boolean',
        description: 'Whether turns of triggers that run are cancelled. Default: false.',
      },
    },
  },
  output: {
    $id: 'PausedNow',
    ...exactly({
      paused: pausedSchema,
      replaced: {
        anyOf: [pausedSchema, { type: 'null' }],
        description: 'The pause that it takes the place of; null where there was none.',
      },
      servers: { ...count, description: 'On how many servers it holds.' },
      answeredBy: { ...text, description: 'Id of the server that answers.' },
      stopped: { ...count, description: 'How many turns of triggers are being cancelled.' },
    }),
  },
  tool: null,
  run: ({ nouns, caller }, { reason, stopRunning = false }) =>
    nouns.pausing.pause(caller, { reason, stopRunning }),
});

export const resumeAll: OperationRow<'resume_all'> = defineOperation({
  name: 'resume_all',
  summary: 'Ends the pause of everything; what was skipped is not made up for.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ResumedAll', ...exactly({ paused: { type: 'null' } }) },
  tool: null,
  run: ({ nouns, caller }) => nouns.pausing.resume(caller),
});

export const resumeTrigger: OperationRow<'resume_trigger'> = defineOperation({
  name: 'resume_trigger',
  summary:
    'Has a trigger go on: one that was paused after failures, which are counted from zero, or an interval that is silent because its clock was set back over slots that ran; its grid begins anew.',
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
      resumed: { ...flag, description: 'false where it was neither paused nor silent.' },
      project: text,
      name: text,
    }),
  },
  tool: null,
  run: async ({ nouns, caller, target }, { name: key }) =>
    nouns.pausing.resumeTrigger(caller, target, key),
});
