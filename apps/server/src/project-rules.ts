import { type KeeperGates, keeperOperations } from '@svc/ops';
import { MANAGE_PREFIX, OPERATION_NAMES } from '@svc/records';
import type { Settings } from '@svc/settings';
import type { ProjectRules } from '@svc/trigger-schema';
import { knownRuntimes } from './runtimes.ts';
import { hostsOfInstance } from './sandboxes.ts';

/**
 * The validation rules for project files under these settings.
 *
 * @param hasSandbox whether agents run in sandboxes with a limited network
 */
export function projectRules(settings: Settings, hasSandbox: boolean): ProjectRules {
  const { minIntervalMs } = settings.limits;
  const unavailableTools = closedTools(settings.keeperGates);
  const { default: defaultRuntime } = settings.runtime;
  const hosts = { instance: hostsOfInstance(settings.agents.sandbox.network) };
  const runtimes = knownRuntimes(settings, hasSandbox);
  return { minIntervalMs, runtimes, defaultRuntime, unavailableTools, hosts };
}

// A project can grant its own agents the trigger operations, so these count as available once their gates are open.
function closedTools(gates: KeeperGates) {
  const open = new Set<string>(keeperOperations({ ...gates, hooks: true }));
  return OPERATION_NAMES.filter((name) => !open.has(name)).map((name) => ({
    name: `${MANAGE_PREFIX}${name}`,
    reason: 'this instance gives it to no agent; see selfMcpEnabled and selfMcpWriteEnabled',
  }));
}
