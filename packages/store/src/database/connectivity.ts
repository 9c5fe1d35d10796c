import type { ServerWatch } from '../postgres/server-watch.ts';

/** Whether the server of a database can be reached; one in a file always can. */
export interface Connectivity {
  /** Why it cannot, in one sentence; null while it can. */
  readonly fault: string | null;
  /** For how many milliseconds nothing has been heard of it. */
  readonly quietMs: number;
  /** Calls back with the reason when it goes away, and with null when it is back. Returns how to stop. */
  subscribe(on: (fault: string | null) => void): () => void;
}

/** That of a database that is a file. */
export const ALWAYS_CONNECTED: Connectivity = {
  fault: null,
  quietMs: 0,
  subscribe: () => () => {},
};

/** That of one on a server which is watched. */
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
