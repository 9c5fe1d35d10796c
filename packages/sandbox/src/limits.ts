import type { Usage } from './adapters/usage.ts';
import type { SandboxLimits } from './sandbox.ts';

const MIB = 1024 * 1024;

/** Why a sandbox must end because of its limits, one sentence; null if it may continue. */
export function limitFault(usage: Usage, limits: SandboxLimits): string | null {
  if (usage.memoryBytes > limits.memoryBytes) {
    return `The processes of the turn used ${mib(usage.memoryBytes)} of memory; the limit is ${mib(limits.memoryBytes)} (agents.sandbox.memory).`;
  }
  if (usage.processes > limits.processes) {
    return `The turn had ${usage.processes} processes and threads; the limit is ${limits.processes} (agents.sandbox.processes).`;
  }
  return limits.cpuMs !== null && usage.cpuMs > limits.cpuMs
    ? `The processes of the turn used ${Math.round(usage.cpuMs / 1000)} s of CPU time; the limit is ${Math.round(limits.cpuMs / 1000)} s (agents.sandbox.cpuTime).`
    : null;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
