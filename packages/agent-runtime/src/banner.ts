import { type Capability, MANAGE_PREFIX } from '@svc/records';
import type { ToolPolicy } from './decision.ts';

/** Plain text for people that says what turns with this capability may do. One fact per line. */
export function bannerOf(policy: Pick<ToolPolicy, 'startsTurns'>, capability: Capability): string {
  return [
    whoOf(capability),
    capability.tools.length === 0
      ? 'Tools: none. It can only answer.'
      : `Tools: ${capability.tools.join(', ')}.`,
    modeOf(capability),
    `At most ${capability.maxTurns} model ${capability.maxTurns === 1 ? 'call' : 'calls'} in one turn.`,
    spawnOf(policy, capability),
    ...limitsOf(capability),
  ].join('\n');
}

function whoOf(capability: Capability): string {
  if (capability.runsAs === 'keeper') {
    return capability.agentName === null
      ? 'Runs as the keeper.'
      : `Runs as the keeper, started as ${capability.agentName}.`;
  }
  return capability.agentName === null
    ? 'Runs as an agent of its own.'
    : `Runs as an agent of its own, ${capability.agentName}.`;
}

function modeOf(capability: Capability): string {
  return capability.permissionMode === 'plan'
    ? 'Permission mode: plan. Only reading tools run.'
    : `Permission mode: ${capability.permissionMode}. Listed tools run without asking.`;
}

function spawnOf({ startsTurns }: Pick<ToolPolicy, 'startsTurns'>, capability: Capability): string {
  const may =
    capability.tools.some((name) => startsTurns(name)) && capability.permissionMode !== 'plan';
  return may && capability.maxSpawnDepth > 0
    ? `It may start turns, down to depth ${capability.maxSpawnDepth}.`
    : 'It may not start turns.';
}

const FILE_TOOLS: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'Edit',
  'Write',
  'NotebookEdit',
]);

function limitsOf(capability: Capability): string[] {
  const lines: string[] = [];
  if (
    capability.bounds !== undefined &&
    capability.tools.some((name) => name.startsWith(MANAGE_PREFIX))
  ) {
    lines.push('Its operations reach only projects in the scope of the client behind it.');
  }
  if (capability.tools.some((name) => FILE_TOOLS.has(name))) {
    lines.push('File tools stay inside the project folder.');
  }
  if (capability.tools.includes('Bash') && capability.permissionMode !== 'plan') {
    lines.push('Bash is not confined: it reaches everything that the user it runs as can reach.');
  }
  return lines;
}
