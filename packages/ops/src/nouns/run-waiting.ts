import type { RunId, RunOutcome } from '@svc/records';
import type { OpsDeps } from '../deps.ts';

/** How a run ended, waiting up to `ms` for it; null while it goes on, when the signal aborts, or the database goes away. */
export async function waitForRun(
  deps: OpsDeps,
  run: { readonly project: string; readonly runId: RunId },
  ms: number,
  signal: AbortSignal,
): Promise<RunOutcome | null> {
  if (ms === 0 || signal.aborted) return null;
  // Listening begins before the first look, so that an end in between is not missed.
  const changes = deps.changes;
  let wake = (): void => {};
  let over = false;
  const finish = (): void => {
    over = true;
    wake();
  };
  const stop = changes.subscribe(null, (item) => {
    if ('reset' in item || item.id === run.runId) wake();
  });
  const timer = deps.clock.setTimeout(finish, ms);
  const { connectivity } = deps.store;
  const stopWatching = connectivity.subscribe(finish);
  signal.addEventListener('abort', finish, { once: true });
  try {
    for (;;) {
      const next = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (connectivity.fault !== null) return null;
      const now = await deps.store.runs.get(run.project, run.runId);
      if (now === null || now.state === 'ended') return now?.outcome ?? null;
      if (over) return null;
      await next;
    }
  } finally {
    stop();
    stopWatching();
    deps.clock.clearTimeout(timer);
    signal.removeEventListener('abort', finish);
  }
}
