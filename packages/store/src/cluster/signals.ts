/** A few words to the other processes that use a database: hints, never the truth itself. */
export type Signal = Readonly<Record<string, string | null>>;

/** What is heard: a signal, or that some may have been missed, so that whoever follows them should look for itself. */
export type HeardSignal = Signal | 'missed';

/** Signals between the processes that use one database. */
export interface Signals {
  /** Tells all other processes soon, and in order; where the database is away nobody is told, and a signal of more than 1 kB as JSON is not sent. */
  send(signal: Signal): void;
  /** Calls back for what others send from now on. Returns how to stop. */
  subscribe(on: (heard: HeardSignal) => void): () => void;
}

/** Signals with the end that their owner has. */
export interface OpenSignals extends Signals {
  close(): Promise<void>;
}

/** Signals of a process that has its database for itself: there is nobody to tell, and nothing to hear. */
export const NO_SIGNALS: OpenSignals = {
  send() {},
  subscribe: () => () => {},
  async close() {},
};
