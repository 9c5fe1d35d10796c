import { TurnStop } from '@svc/agent-runtime';
import { failure, isId, success } from '@svc/core';
import { actorText, type Run, type RunId, type RunOutcome, type Slug } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import { type Answer, notFound } from '../errors.ts';
import { reportEnd } from './run-report.ts';
import { waitForRun } from './run-waiting.ts';
import { endingWith, endTurn } from './turn-end.ts';

/** Which runs to list. */
export interface RunQuery {
  readonly trigger?: string;
  /** Only runs that ended in one of these ways. */
  readonly outcomes?: readonly RunOutcome[];
  /** UTC ISO text: only runs claimed at or after it. */
  readonly from?: string;
  /** What a previous page gave as `next`. */
  readonly cursor?: RunId;
  /** 1 to 200. Default: 50. */
  readonly limit?: number;
}

/** Some of the runs, newest first. */
export interface RunPage {
  readonly runs: readonly Run[];
  /** Goes into `cursor` for the following page; null where there is none. */
  readonly next: RunId | null;
}

/** Reading the record of fires, and stopping one. */
export interface RunWork {
  list(project: Slug, query: RunQuery): Promise<RunPage>;
  get(project: Slug, id: string): Answer<Run>;
  /** Ends a queued or running run; `conflict` when it has ended. */
  cancel(caller: Caller, project: Slug, id: string): Answer<Run>;
  /** How a run ended, waiting up to `ms` for it; null while it goes on, or when the signal aborts. */
  outcome(project: Slug, id: RunId, ms: number, signal: AbortSignal): Promise<RunOutcome | null>;
}

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
