import { failure, isId, success } from '@svc/core';
import type { Run, Slug } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import { type Answer, notFound } from '../errors.ts';
import type { RunWork } from '../work.ts';
import { cancelReason, cancelTurn } from './cancelling.ts';
import { reportEnd } from './run-report.ts';
import { waitForRun } from './run-waiting.ts';

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
