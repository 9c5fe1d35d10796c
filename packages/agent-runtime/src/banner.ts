import { type Capability, MANAGE_PREFIX } from '@svc/records';
import type { ToolPolicy } from './decision.ts';
import type { RuntimeCapabilities } from './runtime.ts';

/** What a runtime makes of a capability. */
export interface BannerRuntime {
  readonly holds: Pick<RuntimeCapabilities, 'toolAllowList' | 'maxTurns'>;
  /** Whether turns run the steps in their prompt, without asking any model. */
  readonly runsSteps: boolean;
}

const EXACT: BannerRuntime = {
  holds: { toolAllowList: 'enforced', maxTurns: 'exact' },
  runsSteps: false,
};

/**
 * Plain text for people that says what turns with this capability may do, as far as their runtime holds it. One fact
 * per line.
 *
 * @param runtime default: one that asks a model and holds everything
 */
export function bannerOf(
  policy: Pick<ToolPolicy, 'startsTurns'>,
  capability: Capability,
  runtime: BannerRuntime = EXACT,
): string {
  const { toolAllowList } = runtime.holds;
  const calls = callsOf(runtime, capability);
  if (toolAllowList === 'none') return [whoOf(capability), UNKNOWN, calls, UNCONFINED].join('\n');
  const isAsked = toolAllowList === 'asked';
  return [
    whoOf(capability),
    `Tools: ${toolsOf(capability, isAsked)}`,
    modeOf(capability),
    calls,
    spawnOf(policy, capability),
    ...(isAsked ? [...boundsOf(capability), UNCONFINED] : limitsOf(capability)),
  ].join('\n');
}

const UNKNOWN = 'Tools: whatever its command brings along. Nothing limits them.';
const UNCONFINED = 'It is not confined: it reaches everything that the user it runs as can reach.';

function toolsOf({ tools }: Capability, isAsked: boolean): string {
  const listed = tools.join(', ');
  if (isAsked)
    return `${listed || 'none'}, where it asks first. What it does unasked is not limited.`;
  return tools.length === 0 ? 'none. It can only answer.' : `${listed}.`;
}

function callsOf({ holds, runsSteps }: BannerRuntime, { maxTurns }: Capability): string {
  const calls = maxTurns === 1 ? 'call' : 'calls';
  if (runsSteps)
    return `At most ${maxTurns} ${maxTurns === 1 ? 'step' : 'steps'} in one turn, without AI.`;
  if (holds.maxTurns === 'none') return 'Its model calls are not counted.';
  return holds.maxTurns === 'exact'
    ? `At most ${maxTurns} model ${calls} in one turn.`
    : `At most about ${maxTurns} model ${calls} in one turn, counted by rounds of tool calls.`;
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

function boundsOf({ bounds, tools }: Capability): string[] {
  return bounds?.some(({ budget }) => budget === undefined) &&
    tools.some((name) => name.startsWith(MANAGE_PREFIX))
    ? ['Its operations reach only projects in the scope of the client behind it.']
    : [];
}

function limitsOf(capability: Capability): string[] {
  const lines = boundsOf(capability);
  if (capability.tools.some((name) => FILE_TOOLS.has(name))) {
    lines.push('File tools stay inside the project folder.');
  }
  if (capability.tools.includes('Bash') && capability.permissionMode !== 'plan') {
    lines.push('Bash is not confined: it reaches everything that the user it runs as can reach.');
  }
  return lines;
}
