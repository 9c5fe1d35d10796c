/** An error that is sent as a JSON-RPC error; `code` is the number on the wire. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
  }
}

/** The method is not supported. */
export const METHOD_NOT_FOUND = -32601;
/** The params do not match the method. */
export const INVALID_PARAMS = -32602;
/** An internal error. */
export const INTERNAL_ERROR = -32603;
/** Codes from here down are free for servers; the transport uses the first. */
export const SERVER_ERROR = -32000;
