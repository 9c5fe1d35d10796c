/** What one server takes of its peers, so that none of them can use it up. Times in milliseconds, sizes in bytes. */
export interface HttpBounds {
  /** Most connections at once. */
  readonly connections: number;
  /** How many of them are kept for peers on this machine, so that probes get through. */
  readonly loopbackReserve: number;
  /** Most connections of one peer's address. */
  readonly connectionsPerAddress: number;
  /** Most requests on one connection that are not answered yet. */
  readonly waitingRequests: number;
  /** Most bytes of these requests that may wait, heads and the beginnings of bodies together. */
  readonly waitingBytes: number;
  /** Most bytes of one head. */
  readonly headBytes: number;
  /** Most header lines of one head. */
  readonly headerLines: number;
  /** How long a head may take to arrive; counts from the opening of the connection. */
  readonly headersTimeoutMs: number;
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs: number;
  /** How long a TLS handshake may take. */
  readonly handshakeTimeoutMs: number;
  /** How long a connection without a request stays open. */
  readonly keepAliveTimeoutMs: number;
  /** How long a server that closes waits for requests that are on their way. */
  readonly lingerMs: number;
}

/** The bounds of the service. Nothing bounds how long an answer may take: event streams have no end. */
export const HTTP_BOUNDS: HttpBounds = Object.freeze({
  connections: 1000,
  loopbackReserve: 50,
  connectionsPerAddress: 200,
  waitingRequests: 32,
  waitingBytes: 262_144,
  headBytes: 16_384,
  headerLines: 100,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  handshakeTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  lingerMs: 3_000,
});
