import type { ToolPolicy, ToolsetTool, TurnSpec } from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { MANAGE_PREFIX } from '@svc/records';
import type { OperationsCall, OperationsPort } from '../operations-rpc.ts';

/** The operations of one turn, as its agent has them; null where it has none. */
export function operationsOf(
  policy: ToolPolicy,
  spec: TurnSpec,
  denied: (tool: string, reason: string) => void,
  signal: AbortSignal,
): OperationsPort | null {
  const { toolset, capability, depth } = spec;
  if (toolset === null) return null;
  const decide = (name: string) => policy.decide(capability, depth, name);
  const there = toolset.tools.filter(({ name }) => decide(name).verdict !== 'absent');
  if (there.length === 0) return null;
  const names = new Set(there.map(({ name }) => name));
  const call: OperationsCall = async (bare, args, gone) => {
    const name = `${MANAGE_PREFIX}${bare}`;
    if (!names.has(name)) {
      denied(name, `This turn has no tool ${name}.`);
      return { text: `Unknown tool: ${bare}`, isError: true };
    }
    const decision = decide(name);
    if (decision.verdict !== 'run') {
      denied(name, decision.reason);
      return { text: decision.reason, isError: true };
    }
    try {
      return await toolset.call(name, args, AbortSignal.any([signal, gone]));
    } catch (error) {
      return { text: `${bare} failed: ${messageOf(error)}`, isError: true };
    }
  };
  return { tools: there.map(bareTool), call };
}

function bareTool({ name, description, inputSchema }: ToolsetTool): ToolsetTool {
  return { name: name.slice(MANAGE_PREFIX.length), description, inputSchema };
}
