/** A short message to the other servers of a database. It is a hint that something changed, not the data itself. */
export type Signal = Readonly<Record<string, string | null>>;

/** A received signal; `missed` if some may have been lost, so that subscribers should read the data again. */
export type HeardSignal = Signal | 'missed';

/** Signals between the servers of a database. */
export interface Signals {
  /**
   * Sends to all other servers soon and in order. While the database is unavailable, and for more than 1 kB of JSON,
   * nothing is sent.
   */
  send(signal: Signal): void;
  /** Calls back for signals of other servers. Returns how to stop. */
  subscribe(on: (heard: HeardSignal) => void): () => void;
}

/** Signals that their owner can close. */
export interface OpenSignals extends Signals {
  close(): Promise<void>;
}

/** Signals for an embedded database, which no other server uses. */
export const NO_SIGNALS: OpenSignals = {
  send() {},
  subscribe: () => () => {},
  async close() {},
};
