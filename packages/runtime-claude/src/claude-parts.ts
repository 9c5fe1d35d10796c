import type { ToolPolicy, TurnSandboxes } from '@svc/agent-runtime';
import type { KeyedMutex, Result } from '@svc/core';
import type { FoundSdk, Sdk } from './adapters/find-sdk.ts';
import type { RuntimeState } from './adapters/runtime-state.ts';
import type { ClaudeRuntimeDeps, ClaudeRuntimeOptions } from './options.ts';

/** The parts that all turns of a runtime share. */
export interface ClaudeParts {
  readonly deps: ClaudeRuntimeDeps;
  readonly options: ClaudeRuntimeOptions;
  readonly policy: ToolPolicy;
  readonly state: RuntimeState;
  /** Sandboxes for the agent program; null for none. */
  readonly sandboxes: TurnSandboxes | null;
  /** Serializes the turns of a session. */
  readonly sessions: KeyedMutex;
  findSdk(): Promise<Result<FoundSdk, string>>;
  /** Imports the SDK once. */
  importSdk(found: FoundSdk): Promise<Sdk>;
}

/** Why the runtime cannot start turns without a key, as one sentence; null if it can. */
export function missingKeyReason({
  apiKey,
  baseUrl,
  keyVariable,
}: ClaudeRuntimeOptions): string | null {
  if (baseUrl !== null || apiKey() !== null) return null;
  if (keyVariable !== undefined) {
    return `The claude runtime has no API key. Set ${keyVariable}, which runtime.claude.apiKey.ref names, and restart svc.`;
  }
  const name = 'ANTHROPIC_API_KEY';
  return `The claude runtime has no API key. Set ${name} and runtime.claude.apiKey.ref: env:${name}, or set runtime.claude.baseUrl to a server that needs no key.`;
}
