// Ctrl-C under `npm start` signals the service twice: the terminal does, and npm does.
const SAME_WISH_MS = 1000;

/** The stop requests of the process. */
export interface StopWishes {
  /** Resolves at the first request: stop gracefully. */
  readonly stopRequested: Promise<void>;
  /** Resolves at the second request: stop at once. */
  readonly stopAtOnce: Promise<void>;
}

/** Counts signals as stop requests. */
export interface StopSignals {
  readonly wishes: StopWishes;
  /** Call it for each signal; a signal within a second of the last request does not count. */
  onSignal(): void;
  /** Call it when the terminal was closed; counts only as a first request. */
  onHangUp(): void;
}

/** Creates the stop requests of a process. `giveUp` is called at the third request and must end the process. */
export function createStopSignals(deps: {
  /** A monotonic clock in milliseconds. */
  readonly mono: () => number;
  readonly giveUp: () => void;
}): StopSignals {
  const first = promise();
  const second = promise();
  const steps = [first.resolve, second.resolve, deps.giveUp];
  let step = 0;
  let wishedAt = Number.NEGATIVE_INFINITY;
  const wish = (): void => {
    wishedAt = deps.mono();
    steps[step]?.();
    step += 1;
  };
  return {
    wishes: { stopRequested: first.done, stopAtOnce: second.done },
    onSignal() {
      if (deps.mono() - wishedAt >= SAME_WISH_MS) wish();
    },
    onHangUp() {
      if (step === 0) wish();
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
