import type { Tally } from '@svc/agent-runtime';

/** Counts the model calls of an agent by the rounds of its tool calls. */
export interface Rounds {
  /** The model spoke, or thought. */
  spoke(): void;
  /** A call began. */
  called(): void;
  /** A call came to its end. */
  answered(): void;
  /** Whether the calls of the last model call have all come to their ends, so that the next thing is a further one. */
  isOver(): boolean;
}

// More calls than this at once are more than one round, whatever the agent says of their ends.
const MOST_AT_ONCE = 64;

/**
 * Makes a count that begins with one model call. What the model does once it has the results of its calls comes from a
 * further one; how far calls that begin together belong together, no agent tells.
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
    spoke() {
      if (isOver()) next();
    },
    called() {
      if (isOver() || calls >= MOST_AT_ONCE) next();
      open += 1;
      calls += 1;
    },
    answered() {
      open = Math.max(0, open - 1);
    },
    isOver,
  };
}
