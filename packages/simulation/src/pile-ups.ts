/** A period in which turns waited for capacity. */
export interface PileUp {
  /** In milliseconds since the epoch. */
  readonly from: number;
  until: number;
  /** Maximum number of running and waiting turns, and when. */
  most: number;
  mostAt: number;
  /** Ids of some triggers with waiting turns. */
  readonly triggers: Set<string>;
}

/** All periods with waiting turns; the worst ones are kept. */
export interface PileUps {
  readonly count: number;
  /** Total time in which turns waited, in milliseconds. */
  readonly lastedMs: number;
  /** Those with the most turns, worst first. */
  readonly worst: readonly PileUp[];
  /** Call it whenever turns may have started to wait or to run. */
  look(at: number, turns: { readonly running: number; readonly waiting: number }): void;
  /** A turn of a trigger started to wait. */
  waits(trigger: string): void;
  /** Ends the current period. */
  close(at: number): void;
}

const MOST_KEPT = 20;
const MOST_TRIGGERS = 20;

/** Creates an empty record. */
export function createPileUps(): PileUps {
  const worst: PileUp[] = [];
  const named: string[] = [];
  let current: PileUp | null = null;
  let count = 0;
  let lastedMs = 0;
  const close = (at: number): void => {
    if (current === null) return;
    current.until = at;
    lastedMs += at - current.from;
    worst.push(current);
    worst.sort((a, b) => b.most - a.most || a.from - b.from);
    if (worst.length > MOST_KEPT) worst.pop();
    current = null;
  };
  return {
    worst,
    close,
    get count() {
      return count;
    },
    get lastedMs() {
      return lastedMs;
    },
    waits: (trigger) => void named.push(trigger),
    look(at, { running, waiting }) {
      const waited = named.splice(0);
      if (waiting === 0) {
        close(at);
        return;
      }
      if (current === null) {
        current = { from: at, until: at, most: 0, mostAt: at, triggers: new Set() };
        count += 1;
      }
      for (const one of waited)
        if (current.triggers.size < MOST_TRIGGERS) current.triggers.add(one);
      if (running + waiting > current.most) {
        current.most = running + waiting;
        current.mostAt = at;
      }
    },
  };
}
