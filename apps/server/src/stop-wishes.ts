// Ctrl-C under `npm start` reaches the service twice: from the terminal, and passed on by npm.
const SAME_WISH_MS = 1000;

/** What somebody who stops the process has asked for so far. */
export interface StopWishes {
  /** Resolves at the first wish: end, and let what is running come to its end. */
  readonly stopRequested: Promise<void>;
  /** Resolves at the second: end at once. */
  readonly stopAtOnce: Promise<void>;
}

/** Turns signals into wishes. */
export interface StopSignals {
  readonly wishes: StopWishes;
  /** To be called at each signal; within a second of the last wish it is that wish again. */
  onSignal(): void;
  /** To be called when the terminal has gone: the first wish, unless there is one already. */
  onHangUp(): void;
}

/** Makes the wishes of one process; `giveUp` is called at a third one, which ends the process in the middle of things. */
export function createStopSignals(deps: {
  /** Milliseconds of a clock that is never set. */
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
