import type { ToolPolicy, ToolsetTool, TurnSpec } from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { MANAGE_PREFIX } from '@svc/records';
import type { OperationsCall, OperationsPort } from '../operations-rpc.ts';

/** The operations that the agent of one turn may call; null for none. */
export function createTurnOperations(
  policy: ToolPolicy,
  spec: TurnSpec,
  onDenied: (tool: string, reason: string) => void,
  signal: AbortSignal,
): OperationsPort | null {
  const { toolset, capability, depth } = spec;
  if (toolset === null) return null;
  const decide = (name: string) => policy.decide(capability, depth, name);
  const offered = toolset.tools.filter(({ name }) => decide(name).verdict !== 'absent');
  if (offered.length === 0) return null;
  const names = new Set(offered.map(({ name }) => name));
  const call: OperationsCall = async (bareName, args, disconnected) => {
    const name = `${MANAGE_PREFIX}${bareName}`;
    if (!names.has(name)) {
      onDenied(name, `The ${name} tool is not available in this turn.`);
      return { text: `Unknown tool: ${bareName}`, isError: true };
    }
    const decision = decide(name);
    if (decision.verdict !== 'run') {
      onDenied(name, decision.reason);
      return { text: decision.reason, isError: true };
    }
    try {
      return await toolset.call(name, args, AbortSignal.any([signal, disconnected]));
    } catch (error) {
      return { text: `${bareName} failed: ${messageOf(error)}`, isError: true };
    }
  };
  return { tools: offered.map(withBareName), call };
}

function withBareName({ name, description, inputSchema }: ToolsetTool): ToolsetTool {
  return { name: name.slice(MANAGE_PREFIX.length), description, inputSchema };
}
