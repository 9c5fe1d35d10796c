import { exactly, flag, text } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { projectAddress } from '../shared-schemas.ts';
import { known } from './shared.ts';

export const resumeTrigger = defineOperation({
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
  http: {
    method: 'post',
    path: '/projects/:slug/triggers/:name/resume',
    tag: 'triggers',
    status: 200,
    example: { response: { resumed: true, project: 'handbook', name: 'nightly' } },
  },
  tool: null,
  run: async ({ nouns, caller, target }, { name: key }) =>
    nouns.pausing.resumeTrigger(caller, target, key),
});
