import type { ToolPolicy } from '@svc/agent-runtime';
import type { KeyedMutex, Result } from '@svc/core';
import type { FoundSdk, Sdk } from './adapters/find-sdk.ts';
import type { State } from './adapters/state.ts';
import type { ClaudeRuntimeDeps, ClaudeRuntimeOptions } from './options.ts';

/** What all turns of a runtime share. */
export interface ClaudeParts {
  readonly deps: ClaudeRuntimeDeps;
  readonly options: ClaudeRuntimeOptions;
  readonly policy: ToolPolicy;
  readonly state: State;
  /** Who works in which session. */
  readonly sessions: KeyedMutex;
  findSdk(): Promise<Result<FoundSdk, string>>;
  /** Imports the SDK, once. */
  importSdk(found: FoundSdk): Promise<Sdk>;
}

/** Why no turn can be started with these options, as one sentence; null where one can. */
export function keyFault({ apiKey, baseUrl, keyVariable }: ClaudeRuntimeOptions): string | null {
  if (baseUrl !== null || apiKey() !== null) return null;
  if (keyVariable !== undefined) {
    return `The runtime claude has no key: export ${keyVariable}, which runtime.claude.apiKey.ref names, and start svc again.`;
  }
  const name = 'ANTHROPIC_API_KEY';
  return `The runtime claude has no key: export ${name} and name it as runtime.claude.apiKey.ref (env:${name}), or set runtime.claude.baseUrl to a server of the Messages API that needs none.`;
}
