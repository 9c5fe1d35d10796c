import { failure } from '@svc/core';
import { type Caller, cancelReason, cancelTurn, type OperationError, reportEnd } from '@svc/engine';
import { type Run, runSchema } from '@svc/records';
import type { OpsDeps } from '../../deps.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ONE_RUN, runOf } from './shared.ts';

export const cancelRun = defineOperation({
  name: 'cancel_run',
  summary: 'Cancel a queued or running run.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: false },
  subject: 'run_id',
  input: ONE_RUN,
  output: runSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/runs/:runId/cancel',
    tag: 'runs',
    status: 202,
    errors: ['conflict'],
    example: {
      response: {
        ...sample.run,
        cause: 'manual',
        state: 'queued',
        scheduledFor: null,
        scheduledUntil: null,
        slotCount: 0,
        startedAt: null,
        endedAt: null,
        lateMs: null,
        outcome: null,
        turns: 0,
        toolCalls: 0,
        toolErrors: null,
        sandbox: null,
        network: null,
        by: 'user',
        person: 'anna',
      },
    },
  },
  tool: null,
  async run({ services: { deps }, caller, target }, { run_id: id }) {
    const run = await runOf(deps.store, target.slug, id);
    if (!run.ok) return run;
    if (run.value.state === 'ended') return failure(ENDED);
    await cancelRunOf(deps, caller, run.value);
    return runOf(deps.store, target.slug, id);
  },
});

const ENDED: OperationError = { code: 'conflict', message: 'This run has already ended.' };

async function cancelRunOf(deps: OpsDeps, caller: Caller, run: Run): Promise<void> {
  const { store, clock } = deps;
  const turnId = await store.turns.ofRun(run.id);
  if (turnId !== null) {
    await cancelTurn(deps, caller, turnId);
    return;
  }
  const reason = cancelReason(caller);
  const ended = await store.runs.endUnstarted(run.id, 'cancelled', reason, clock.now());
  await reportEnd(deps, run.project, ended);
  deps.changes.publish({ kind: 'run', project: run.project, id: run.id });
}
