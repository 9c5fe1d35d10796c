import {
  createToolPolicy,
  type Runtime,
  type RuntimeCapabilities,
  type RuntimeProbe,
} from '@svc/agent-runtime';
import { createKeyedMutex } from '@svc/core';
import { GRANTABLE_TOOLS, PERMISSION_MODES } from '@svc/records';
import { type FoundSdk, findSdk, importSdk, type Sdk } from './adapters/find-sdk.ts';
import { openState } from './adapters/runtime-state.ts';
import { type ClaudeParts, missingKeyReason } from './claude-parts.ts';
import type { ClaudeRuntimeDeps, ClaudeRuntimeOptions } from './options.ts';
import { createSelfTest } from './self-test.ts';
import { runTurn } from './turn.ts';

const HOLDS: RuntimeCapabilities = {
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
 * The limits that the runtime enforces.
 *
 * @param limitsNetwork whether the agent program runs in a sandbox that limits its network
 */
export function claudeHolds(limitsNetwork: boolean): RuntimeCapabilities {
  return limitsNetwork ? { ...HOLDS, network: 'all' } : HOLDS;
}

/**
 * Creates the runtime `claude`, which uses the Claude Agent SDK. The SDK is found and imported on first use. One model call
 * counts as one turn. File tools stay inside the project folder. All processes of a turn are killed when it ends.
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
    sandboxes: options.sandboxes ?? null,
    sessions: createKeyedMutex(),
    findSdk: () => findSdk(options.stateFolder),
    importSdk: importOnce(),
  };
  return {
    id: 'claude',
    holds: claudeHolds(options.sandboxes?.limitsNetwork ?? false),
    sandbox: options.sandboxes?.shown ?? null,
    probe: () => probe(parts),
    selfTest: createSelfTest(parts),
    start: (spec, signal) => runTurn(parts, spec, signal),
  };
}

async function probe(parts: ClaudeParts): Promise<RuntimeProbe> {
  const missingKey = missingKeyReason(parts.options);
  if (missingKey !== null) return { ready: false, reason: missingKey };
  const found = await parts.findSdk();
  return found.ok ? { ready: true } : { ready: false, reason: found.error };
}

// A failed import is retried, because the SDK may have been repaired since.
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
