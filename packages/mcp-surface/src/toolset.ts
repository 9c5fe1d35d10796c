import type { Principal } from '@svc/mgmt-auth';

/** A tool as clients see it; the fields are those of the Model Context Protocol. */
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
  /** True when the call failed; the content says why. */
  readonly isError?: boolean;
}

/** What a call is given beside its arguments. */
export interface McpCallOptions {
  /** Aborts when the client is gone or the surface closes. */
  readonly signal: AbortSignal;
  /**
   * Tells the client how far the call is and waits for a slow reader; `total` only where it is known. Null when the
   * client did not ask. It never rejects.
   */
  readonly progress: ((progress: number, total?: number) => Promise<void>) | null;
}

/** The tools that are served; implemented by whoever has tools. */
export interface McpToolset {
  /** The tools of one caller. The same array for the same rights: it is serialised once per array. */
  list(principal: Principal): readonly McpTool[];
  /** Calls a tool; null when there is no such tool for this caller, hidden and non-existent alike. */
  call(
    principal: Principal,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<McpAnswer | null>;
}
