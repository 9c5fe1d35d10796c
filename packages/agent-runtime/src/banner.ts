import { type Capability, canWrite, MANAGE_PREFIX } from '@svc/records';
import type { ToolPolicy } from './decision.ts';
import type { RuntimeCapabilities, RuntimeSandbox } from './runtime.ts';

/** How far a runtime enforces a capability. */
export interface BannerRuntime {
  readonly holds: Pick<RuntimeCapabilities, 'toolAllowList' | 'maxTurns'>;
  /** Whether turns run the steps in their prompt, without asking any model. */
  readonly runsSteps: boolean;
  /** The sandbox of its processes. Default: none. */
  readonly sandbox?: RuntimeSandbox | null;
}

const EXACT: BannerRuntime = {
  holds: { toolAllowList: 'enforced', maxTurns: 'exact' },
  runsSteps: false,
};

/**
 * Describes in plain text, one fact per line, what turns with this capability can do on their runtime.
 *
 * @param runtime default: one that asks a model and enforces everything
 */
export function bannerOf(
  policy: Pick<ToolPolicy, 'startsTurns'>,
  capability: Capability,
  runtime: BannerRuntime = EXACT,
): string {
  const { toolAllowList } = runtime.holds;
  const calls = callsOf(runtime, capability);
  const who = whoOf(capability, toolAllowList === 'enforced');
  const lines =
    toolAllowList === 'enforced'
      ? limitsOf(capability, runtime)
      : programLines(capability, runtime);
  if (toolAllowList === 'none') {
    return [who, `Tools: ${commandTools(capability, runtime)}`, calls, ...lines].join('\n');
  }
  return [
    who,
    `Tools: ${toolsOf(capability, runtime)}`,
    modeOf(capability),
    calls,
    spawnOf(policy, capability),
    ...lines,
  ].join('\n');
}

const SANDBOXED =
  'runs in a sandbox: of this machine it can access the project folder and installed programs.';
const UNSANDBOXED = 'Bash is not sandboxed: it can access everything its user account can access.';
const UNCONFINED = 'Not sandboxed: it can access everything its user account can access.';

function commandTools(capability: Capability, { sandbox }: BannerRuntime): string {
  return sandbox != null && capability.runsAs === 'agent'
    ? sandboxTools(capability)
    : 'whatever the command provides, without limits.';
}

function toolsOf(capability: Capability, { holds, sandbox }: BannerRuntime): string {
  const { tools, runsAs } = capability;
  const listed = tools.join(', ');
  if (holds.toolAllowList === 'asked') {
    return sandbox != null && runsAs === 'agent'
      ? sandboxTools(capability)
      : `${listed || 'none'}, checked only when the agent asks for permission. Other actions are not limited.`;
  }
  return tools.length === 0 ? 'none. It can only reply.' : `${listed}.`;
}

function sandboxTools({ tools }: Capability): string {
  const access = canWrite(tools) ? 'write' : 'read-only';
  return `${tools.join(', ') || 'none'}, enforced by a sandbox as ${access} access to the project folder and the network below.`;
}

function programLines(capability: Capability, { holds, sandbox }: BannerRuntime): string[] {
  const lines = holds.toolAllowList === 'asked' ? boundsOf(capability) : [];
  return sandbox == null
    ? [...lines, UNCONFINED]
    : [...lines, `It ${SANDBOXED}`, hostsLine(sandbox.hostsOf(capability))];
}

function hostsLine(hosts: readonly string[] | null): string {
  if (hosts === null) return 'Network: not limited (agents.sandbox.network is unrestricted).';
  const names = hosts.map((host) => (host === '*' ? 'all public hosts' : host));
  return `Network: ${names.join(', ') || 'none'}.`;
}

function callsOf({ holds, runsSteps }: BannerRuntime, { maxTurns }: Capability): string {
  const calls = maxTurns === 1 ? 'call' : 'calls';
  if (runsSteps)
    return `At most ${maxTurns} ${maxTurns === 1 ? 'step' : 'steps'} per turn. The playbook uses no AI.`;
  if (holds.maxTurns === 'none') return 'Model calls are not counted.';
  return holds.maxTurns === 'exact'
    ? `At most ${maxTurns} model ${calls} per turn.`
    : `At most about ${maxTurns} model ${calls} per turn, counted as rounds of tool calls.`;
}

function whoOf(capability: Capability, isEnforced: boolean): string {
  if (capability.runsAs === 'keeper') {
    return capability.agentName === null
      ? 'Runs as the keeper.'
      : `Runs as the keeper (agent ${capability.agentName}).`;
  }
  const { agentName } = capability;
  const who = agentName === null ? 'an agent' : `agent ${agentName}`;
  return isEnforced && capability.tools.length > 0
    ? `Runs as ${who}, with only the tools listed.`
    : `Runs as ${who}.`;
}

function modeOf(capability: Capability): string {
  return capability.permissionMode === 'plan'
    ? 'Permission mode: plan. Only read-only tools run.'
    : `Permission mode: ${capability.permissionMode}. Listed tools run without asking.`;
}

function spawnOf({ startsTurns }: Pick<ToolPolicy, 'startsTurns'>, capability: Capability): string {
  const may =
    capability.tools.some((name) => startsTurns(name)) && capability.permissionMode !== 'plan';
  return may && capability.maxSpawnDepth > 0
    ? `It can start turns, up to depth ${capability.maxSpawnDepth}.`
    : 'It cannot start turns.';
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
    ? ["Its operations are limited to the projects in the client's scope."]
    : [];
}

function limitsOf(capability: Capability, { sandbox = null }: BannerRuntime): string[] {
  const lines = boundsOf(capability);
  if (capability.tools.some((name) => FILE_TOOLS.has(name))) {
    lines.push('File tools are limited to the project folder.');
  }
  if (capability.tools.includes('Bash') && capability.permissionMode !== 'plan') {
    lines.push(sandbox === null ? UNSANDBOXED : `Bash ${SANDBOXED}`);
    if (sandbox !== null) lines.push(hostsLine(sandbox.hostsOf(capability)));
  }
  return lines;
}
