import { success } from '@svc/core';
import { originOf } from '@svc/engine';
import { exactly } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { nameOf, publishTriggers } from './shared.ts';

export const resumeAll = defineOperation({
  name: 'resume_all',
  summary: 'Resume all triggers. Skipped slots will not run later.',
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
  async run({ services: { deps, pauses }, caller }) {
    const was = await pauses.all();
    await pauses.set(null, originOf(caller));
    if (was !== null) deps.logger.warn({ by: nameOf(caller) }, 'all triggers resumed');
    await publishTriggers(deps);
    return success({ paused: null });
  },
});
