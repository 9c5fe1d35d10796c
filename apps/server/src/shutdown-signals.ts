import type { StopRequests } from '@svc/cli';

// Ctrl-C under `npm start` signals the service twice: the terminal does, and npm does.
const SAME_REQUEST_MS = 1000;

/** Counts signals as stop requests. */
export interface ShutdownSignals {
  readonly requests: StopRequests;
  /** Call it for each signal; a signal within a second of the last request does not count. */
  onSignal(): void;
  /** Call it when the terminal was closed; counts only as a first request. */
  onHangUp(): void;
}

/** Creates the stop requests of a process. `giveUp` is called at the third request and must end the process. */
export function createShutdownSignals(deps: {
  /** A monotonic clock in milliseconds. */
  readonly mono: () => number;
  readonly giveUp: () => void;
}): ShutdownSignals {
  const first = promise();
  const second = promise();
  const steps = [first.resolve, second.resolve, deps.giveUp];
  let step = 0;
  let requestedAt = Number.NEGATIVE_INFINITY;
  const request = (): void => {
    requestedAt = deps.mono();
    steps[step]?.();
    step += 1;
  };
  return {
    requests: { stopRequested: first.done, stopAtOnce: second.done },
    onSignal() {
      if (deps.mono() - requestedAt >= SAME_REQUEST_MS) request();
    },
    onHangUp() {
      if (step === 0) request();
    },
  };
}

function promise(): { readonly done: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
}
