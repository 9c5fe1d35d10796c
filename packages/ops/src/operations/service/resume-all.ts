import { exactly } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';

export const resumeAll = defineOperation({
  name: 'resume_all',
  summary: 'Resume all triggers. Skipped slots are not caught up.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ResumedAll', ...exactly({ paused: { type: 'null' } }) },
  http: {
    method: 'post',
    path: '/resume',
    tag: 'service',
    status: 200,
    example: { response: { paused: null } },
  },
  tool: null,
  run: ({ nouns, caller }) => nouns.pausing.resume(caller),
});
