import type { Principal } from '@svc/mgmt-auth';

/** A tool in the form of the Model Context Protocol. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly inputSchema: object;
  /** JSON Schema of `structuredContent`. */
  readonly outputSchema?: object;
  readonly annotations?: object;
}

/** The result of one call. */
export interface McpAnswer {
  /** Content blocks such as `{ type: 'text', text: '…' }`. */
  readonly content: readonly object[];
  readonly structuredContent?: object;
  /** True if the call failed; the content has the reason. */
  readonly isError?: boolean;
}

/** Options of a call. */
export interface McpCallOptions {
  /** Aborts when the client disconnects or the surface closes. */
  readonly signal: AbortSignal;
  /**
   * Sends progress to the client and waits for a slow reader; `total` is optional. Null if the client did not
   * request progress. Never rejects.
   */
  readonly progress: ((progress: number, total?: number) => Promise<void>) | null;
}

/** The tools to serve; implemented by the application. */
export interface McpToolset {
  /** The tools of one caller. Return the same array for the same rights: it is serialized once per array. */
  list(principal: Principal): readonly McpTool[];
  /** Calls a tool; null if it does not exist for this caller, hidden and unknown alike. */
  call(
    principal: Principal,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<McpAnswer | null>;
}
