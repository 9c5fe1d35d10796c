import type { Tally } from '@svc/agent-runtime';

/** Estimates the number of model calls of an agent from its rounds of tool calls. */
export interface Rounds {
  /** Call for each text or thought of the model. */
  onOutput(): void;
  onCallStart(): void;
  onCallEnd(): void;
  /** Whether all calls of the last model call have ended, so that any further output comes from another one. */
  isOver(): boolean;
}

// An agent may never report the end of its calls, so a larger number of open calls counts as another round.
const MAX_CALLS_PER_ROUND = 64;

/**
 * Creates a counter that starts with one model call. ACP does not report model calls: output or a tool call after the end
 * of all open calls is counted as another one.
 */
export function createRounds(tally: Tally): Rounds {
  let open = 0;
  let calls = 0;
  const next = (): void => {
    tally.turns += 1;
    open = 0;
    calls = 0;
  };
  const isOver = (): boolean => calls > 0 && open === 0;
  return {
    onOutput() {
      if (isOver()) next();
    },
    onCallStart() {
      if (isOver() || calls >= MAX_CALLS_PER_ROUND) next();
      open += 1;
      calls += 1;
    },
    onCallEnd() {
      open = Math.max(0, open - 1);
    },
    isOver,
  };
}
