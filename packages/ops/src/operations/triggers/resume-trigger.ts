import { failure, success } from '@svc/core';
import { type Caller, noTrigger, originOf } from '@svc/engine';
import type { TriggerKey } from '@svc/records';
import { exactly, flag, text } from '../../common.schema.ts';
import type { Services } from '../../services.ts';
import { defineOperation } from '../operation.ts';
import { projectAddress } from '../shared-schemas.ts';
import { known } from './shared.ts';

export const resumeTrigger = defineOperation({
  name: 'resume_trigger',
  summary:
    'Resume a trigger that was paused after failures, and reset its failure count, or an interval trigger that waits because the clock was set back; its interval then counts from now.',
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
  async run({ services, caller, target }, { name }) {
    if (target.file === null || !target.file.triggers.has(name)) {
      return failure(noTrigger(target, { name, source: 'trigger' }));
    }
    const key: TriggerKey = { project: target.slug, source: 'trigger', name };
    const resumed = await services.pauses.resume(key, originOf(caller));
    const restarted = await services.arming.during(key.project, async () => {
      const isRestarted = await services.scheduler.restartGrid(key);
      if (isRestarted) await noteRestart(services, key, caller);
      return isRestarted;
    });
    return success({ resumed: resumed || restarted, project: target.slug, name });
  },
});

async function noteRestart(
  { deps, changeLog }: Pick<Services, 'deps' | 'changeLog'>,
  key: TriggerKey,
  caller: Caller,
): Promise<void> {
  const origin = originOf(caller);
  await changeLog.recordResume(key, origin);
  const { project, name } = key;
  deps.logger.warn(
    { project, trigger: name, by: origin.by },
    'trigger resumed after clock was set back',
  );
  deps.changes.publish({ kind: 'triggers', project, id: null });
}
