/** An error that a client gets to see as a JSON-RPC error; `code` is the number on the wire. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
  }
}

/** The method is not served. */
export const METHOD_NOT_FOUND = -32601;
/** The params do not fit the method. */
export const INVALID_PARAMS = -32602;
/** The fault is on this side. */
export const INTERNAL_ERROR = -32603;
/** Codes from here down are free for servers; the transport's own errors use the first. */
export const SERVER_ERROR = -32000;
