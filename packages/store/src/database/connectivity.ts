import type { ServerWatch } from '../postgres/server-watch.ts';

/** Whether the database server is reachable; an embedded database always is. */
export interface Connectivity {
  /** Why it is not reachable, in one sentence; null while it is. */
  readonly fault: string | null;
  /** Milliseconds since the last response. */
  readonly quietMs: number;
  /**
   * Calls back with the reason when it becomes unreachable, and with null when it is reachable again. Returns how to
   * stop.
   */
  subscribe(on: (fault: string | null) => void): () => void;
}

/** Connectivity of an embedded database. */
export const ALWAYS_CONNECTED: Connectivity = {
  fault: null,
  quietMs: 0,
  subscribe: () => () => {},
};

/** Connectivity of a watched database server. */
export function connectivityOf(watch: ServerWatch): Connectivity {
  return {
    get fault() {
      return watch.away?.sentence ?? null;
    },
    get quietMs() {
      return watch.quietMs;
    },
    subscribe(on) {
      let isAway = false;
      return watch.subscribe((away) => {
        if ((away !== null) === isAway) return;
        isAway = away !== null;
        on(away?.sentence ?? null);
      });
    },
  };
}
