import { failure, isId, success } from '@svc/core';
import type { Run, Slug } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import { type Answer, notFound, type OperationError } from '../errors.ts';
import type { RunQuery, RunWork } from '../work.ts';
import { cancelReason, cancelTurn } from './cancelling.ts';
import { reportEnd } from './run-report.ts';
import { waitForRun } from './run-waiting.ts';

export function createRunWork(deps: OpsDeps): RunWork {
  const { store } = deps;
  const get = async (project: Slug, id: string): Answer<Run> => {
    const run = isId(id) ? await store.runs.get(project, id) : null;
    if (run !== null) return success(run);
    const isOld = isId(id) && (await store.retention.mayHaveHad(project, id));
    return failure(isOld ? removedRun : notFound('run'));
  };
  const removedOf = async (project: Slug, { trigger, from }: RunQuery) => {
    const removed = await store.retention.pruned(project, trigger);
    return removed === null || (from !== undefined && from > removed.until) ? null : removed;
  };
  return {
    get,
    async list(project, query) {
      const page = await store.runs.list(project, { ...query, limit: query.limit ?? 50 });
      return { ...page, removed: page.next === null ? await removedOf(project, query) : null };
    },
    listAll: (projects, { trigger: _trigger, ...query }) =>
      store.runs.listAll({ ...query, slugs: new Set(projects), limit: query.limit ?? 50 }),
    async find(projects, id) {
      const run = isId(id) ? await store.runs.find(id) : null;
      const seen = run !== null && projects.includes(run.project);
      return seen ? success(run) : failure(notFound('run'));
    },
    async cancel(caller, project, id) {
      const run = await get(project, id);
      if (!run.ok) return run;
      if (run.value.state === 'ended') {
        return failure({ code: 'conflict', message: 'This run has already ended.' });
      }
      await cancelRun(deps, caller, run.value);
      return get(project, id);
    },
    outcome: (project, runId, ms, signal) => waitForRun(deps, { project, runId }, ms, signal),
  };
}

const removedRun: OperationError = {
  code: 'not_found',
  message: 'There is no such run. Runs of that age were removed by retention.',
  pruned: true,
};

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
