import {
  createToolPolicy,
  type Runtime,
  type RuntimeCapabilities,
  type RuntimeProbe,
} from '@svc/agent-runtime';
import { createKeyedMutex } from '@svc/core';
import { GRANTABLE_TOOLS, PERMISSION_MODES } from '@svc/records';
import { type FoundSdk, findSdk, importSdk, type Sdk } from './adapters/find-sdk.ts';
import { openState } from './adapters/state.ts';
import type { ClaudeRuntimeDeps, ClaudeRuntimeOptions } from './options.ts';
import { type ClaudeParts, keyFault } from './parts.ts';
import { createSelfTest } from './self-test.ts';
import { runTurn } from './turn.ts';

/** What the runtime holds. */
export const CLAUDE_HOLDS: RuntimeCapabilities = {
  tools: GRANTABLE_TOOLS,
  toolAllowList: 'enforced',
  maxTurns: 'exact',
  permissionModes: PERMISSION_MODES,
  resume: true,
  fork: true,
  svcManage: 'in-process',
  cost: 'estimate',
};

/**
 * Makes the runtime on the Claude Agent SDK, id `claude`. The SDK is looked for and imported at the first use. One model
 * call is one turn; file tools stay inside the project folder; every process that a turn starts is ended with it.
 */
export function createClaudeRuntime(
  deps: ClaudeRuntimeDeps,
  options: ClaudeRuntimeOptions,
): Runtime {
  const parts: ClaudeParts = {
    deps,
    options,
    policy: createToolPolicy(deps.operations),
    state: openState(options.stateFolder, options.user ?? null, options.sessionsFolder),
    sessions: createKeyedMutex(),
    findSdk: () => findSdk(options.stateFolder),
    importSdk: importOnce(),
  };
  return {
    id: 'claude',
    holds: CLAUDE_HOLDS,
    probe: () => probe(parts),
    selfTest: createSelfTest(parts),
    start: (spec, signal) => runTurn(parts, spec, signal),
  };
}

async function probe(parts: ClaudeParts): Promise<RuntimeProbe> {
  const fault = keyFault(parts.options);
  if (fault !== null) return { ready: false, reason: fault };
  const found = await parts.findSdk();
  return found.ok ? { ready: true } : { ready: false, reason: found.error };
}

// An import that fails is tried again: somebody may have installed what was missing.
function importOnce(): ClaudeParts['importSdk'] {
  let loaded: { readonly module: string; readonly sdk: Promise<Sdk> } | null = null;
  return (found: FoundSdk) => {
    if (loaded?.module !== found.module) {
      const sdk = importSdk(found);
      loaded = { module: found.module, sdk };
      sdk.catch(() => {
        loaded = null;
      });
    }
    return loaded.sdk;
  };
}
