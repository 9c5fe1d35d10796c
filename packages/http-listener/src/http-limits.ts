/** Limits for HTTP clients, which protect the server from overload. Times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  /** Maximum number of open connections. */
  readonly connections: number;
  /** Connections reserved for clients on this machine, such as health probes. */
  readonly loopbackReserve: number;
  /** Maximum number of open connections from one address. */
  readonly connectionsPerAddress: number;
  /** Maximum number of unanswered requests on one connection. */
  readonly queuedRequests: number;
  /** Maximum size of the queued requests on one connection: heads and buffered parts of bodies. */
  readonly queuedBytes: number;
  /** Maximum size of a request head. */
  readonly headBytes: number;
  /** Maximum number of header lines in a request. */
  readonly headerLines: number;
  /** Time limit for a request head, from the opening of the connection. */
  readonly headersTimeoutMs: number;
  /** Time limit for a whole request. */
  readonly requestTimeoutMs: number;
  /** Time limit for a TLS handshake. */
  readonly handshakeTimeoutMs: number;
  /** How long an idle connection stays open. */
  readonly keepAliveTimeoutMs: number;
  /** How long a closing server waits for incomplete requests. */
  readonly lingerMs: number;
}

/** The limits of the service. Responses have no time limit, because event streams do not end. */
export const HTTP_LIMITS: HttpLimits = Object.freeze({
  connections: 1000,
  loopbackReserve: 50,
  connectionsPerAddress: 200,
  queuedRequests: 32,
  queuedBytes: 262_144,
  headBytes: 16_384,
  headerLines: 100,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  handshakeTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  lingerMs: 3_000,
});
