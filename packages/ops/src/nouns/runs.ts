import { TurnStop } from '@svc/agent-runtime';
import { failure, isId, success } from '@svc/core';
import { actorText, type Run, type Slug } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import { type Answer, notFound } from '../errors.ts';
import type { RunWork } from '../work.ts';
import { reportEnd } from './run-report.ts';
import { waitForRun } from './run-waiting.ts';
import { endingWith, endTurn } from './turn-end.ts';

export function createRunWork(deps: OpsDeps): RunWork {
  const { store } = deps;
  const get = async (project: Slug, id: string): Answer<Run> => {
    const run = isId(id) ? await store.runs.get(project, id) : null;
    return run === null ? failure(notFound('run')) : success(run);
  };
  return {
    get,
    list: (project, query) => store.runs.list(project, { ...query, limit: query.limit ?? 50 }),
    async cancel(caller, project, id) {
      const run = await get(project, id);
      if (!run.ok) return run;
      if (run.value.state === 'ended') {
        return failure({ code: 'conflict', message: 'This run has ended already.' });
      }
      await cancelRun(deps, caller, run.value);
      return get(project, id);
    },
    outcome: (project, runId, ms, signal) => waitForRun(deps, { project, runId }, ms, signal),
  };
}

async function cancelRun(deps: OpsDeps, caller: Caller, run: Run): Promise<void> {
  const { store, queue, clock } = deps;
  const reason = `It was cancelled by ${actorText(caller.actor)}.`;
  const turnId = await store.turns.ofRun(run.id);
  if (turnId === null) {
    const ended = await store.runs.endUnstarted(run.id, 'cancelled', reason, clock.now());
    await reportEnd(deps, run.project, ended);
    return;
  }
  // Noted first: a turn that is just between queue and start reads it there.
  await store.turns.requestCancel(turnId, caller.actor, clock.now());
  if (queue.cancel(turnId, new TurnStop('cancelled', reason)) !== 'removed') return;
  const turn = await store.turns.get(turnId);
  if (turn !== null) await endTurn(deps, turn, endingWith('cancelled', reason));
}
