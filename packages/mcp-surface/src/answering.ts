/** A request that is being answered. */
export interface Answering {
  /** The client went away. */
  gone(): void;
  /** The surface closes: the client is told, and the work stops. */
  stop(): void;
}
