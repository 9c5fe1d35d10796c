import type { IncomingMessage } from 'node:http';

/** The parts of a request that the gate reads. */
export interface GateRequest {
  readonly method: string;
  /** Header values by lower-case name, as `node:http` gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values alternately, as they were sent. Default: repeated headers cannot be detected. */
  readonly rawHeaders?: readonly string[];
  /** Address of the peer's socket. */
  readonly remoteAddress: string | undefined;
  /** True when the request came over TLS to this process. Default: false. */
  readonly encrypted?: boolean;
}

/** What the gate reads of a request to a server of `node:http` or `node:https`. */
export function gateRequestOf({
  method = '',
  headers,
  rawHeaders,
  socket,
}: IncomingMessage): GateRequest {
  const encrypted = 'encrypted' in socket && socket.encrypted === true;
  return { method, headers, rawHeaders, remoteAddress: socket.remoteAddress, encrypted };
}
