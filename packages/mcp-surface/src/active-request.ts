/** A request in progress. */
export interface ActiveRequest {
  /** Called when the client disconnects. */
  gone(): void;
  /** Called when the surface closes: the client gets an error, and the work is aborted. */
  stop(): void;
}
