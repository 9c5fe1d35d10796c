import { TurnStop } from '@svc/agent-runtime';
import type { EngineDeps } from '../deps.ts';

/** Stops a turn. */
export interface TurnStopper {
  readonly signal: AbortSignal;
  end(why: TurnStop): void;
  /** Call it when the turn has ended. */
  clear(): void;
}

/** A signal that stops a turn: from outside (cancel, shutdown), at its deadline, or by `end`; the first one counts. */
export function stopAfter(deps: EngineDeps, ms: number, signal: AbortSignal): TurnStopper {
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal.reason);
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  const timer = deps.clock.setTimeout(() => {
    controller.abort(
      new TurnStop('timed_out', `Stopped after reaching its time limit of ${durationText(ms)}.`),
    );
  }, ms);
  return {
    signal: controller.signal,
    end: (why: TurnStop): void => controller.abort(why),
    clear: () => {
      deps.clock.clearTimeout(timer);
      signal.removeEventListener('abort', forward);
    },
  };
}

function durationText(ms: number): string {
  const [size, unit] = ms >= 120_000 ? [60_000, 'minutes'] : [1000, 'seconds'];
  const count = Math.round((ms / size) * 10) / 10;
  return count === 1 ? `1 ${unit.slice(0, -1)}` : `${count} ${unit}`;
}
