import type { RunId, RunOutcome } from '@svc/records';
import type { EngineDeps } from '../deps.ts';

/**
 * The outcome of a run, waiting up to `ms`; null while it is unfinished, when the signal aborts, or when the database
 * becomes unavailable.
 */
export async function waitForRun(
  deps: EngineDeps,
  run: { readonly project: string; readonly runId: RunId },
  ms: number,
  signal: AbortSignal,
): Promise<RunOutcome | null> {
  if (ms === 0 || signal.aborted) return null;
  // Subscribes before the first look, so that an end in between is not missed.
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
