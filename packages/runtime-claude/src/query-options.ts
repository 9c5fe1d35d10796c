import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { OperationEffects, TurnSpec } from '@svc/agent-runtime';
import { MANAGE_PREFIX } from '@svc/records';
import type { AgentProcess } from './adapters/agent-process.ts';
import type { Relay } from './adapters/relay.ts';
import { type CallFence, catalogueName } from './call-fence.ts';
import { createManageServer, MANAGE_SERVER } from './manage-server.ts';
import type { Transcript } from './transcript.ts';

/** Everything that becomes the options of a query. */
export interface QueryParts {
  readonly spec: TurnSpec;
  /** The project folder, without links. */
  readonly cwd: string;
  readonly fence: CallFence;
  readonly transcript: Transcript;
  readonly relay: Pick<Relay, 'url' | 'token'>;
  readonly process: AgentProcess;
  readonly program: string;
  readonly configFolder: string;
  readonly model: string | null;
  readonly systemPrompt: string;
  readonly session: Pick<Options, 'resume' | 'forkSession' | 'sessionId'>;
  readonly effects: OperationEffects;
  readonly abort: AbortController;
  /** Takes note of where the agent's program keeps the transcript of the session. */
  readonly onTranscriptPath: (path: string) => void;
}

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep']);
const EDIT_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit']);

function budgetOf({ limits: { costMicrousd = null } }: TurnSpec): Pick<Options, 'maxBudgetUsd'> {
  return costMicrousd === null ? {} : { maxBudgetUsd: costMicrousd / 1e6 };
}

/** The options of a query that can do what the turn may do, and nothing else. */
export function queryOptions(parts: QueryParts): Options {
  const { spec, fence, relay, process, abort } = parts;
  const builtIn = fence.tools.filter((tool) => !tool.startsWith(MANAGE_PREFIX));
  return {
    abortController: abort,
    cwd: parts.cwd,
    env: environmentOf(spec.env, relay, parts.configFolder),
    pathToClaudeCodeExecutable: parts.program,
    spawnClaudeCodeProcess: (options) => process.spawn(options),
    tools: builtIn,
    allowedTools: approved(fence.tools),
    // The modes of the SDK differ in what they ask for: here nobody is asked, and what is not listed does not exist.
    permissionMode: 'dontAsk',
    permissionPrompts: 'none',
    hooks: { PreToolUse: [{ hooks: [fenceHook(parts)] }] },
    settingSources: [],
    settings: { attribution: { commit: '', pr: '' } },
    strictMcpConfig: true,
    mcpServers: serversOf(parts),
    verbatimPrompts: true,
    systemPrompt: parts.systemPrompt,
    maxTurns: spec.limits.maxTurns,
    ...budgetOf(spec),
    ...(parts.model !== null && { model: parts.model }),
    ...parts.session,
  };
}

// Bare names of file tools would lift their limit to the folder; without one they are confined to it.
function approved(tools: readonly string[]): string[] {
  const edits = tools.some((tool) => EDIT_TOOLS.has(tool));
  const others = tools.filter((tool) => !FILE_TOOLS.has(tool) && !EDIT_TOOLS.has(tool));
  return [...others, ...(edits ? ['Edit(./**)'] : [])];
}

function serversOf({
  spec,
  fence,
  effects,
  abort,
}: QueryParts): NonNullable<Options['mcpServers']> {
  const held = fence.tools.filter((tool) => tool.startsWith(MANAGE_PREFIX));
  if (spec.toolset === null || held.length === 0) return {};
  const { toolset } = spec;
  return {
    [MANAGE_SERVER]: createManageServer({ toolset, held, effects, signal: abort.signal }),
  };
}

function environmentOf(
  given: TurnSpec['env'],
  relay: QueryParts['relay'],
  configFolder: string,
): Record<string, string> {
  // Another key, login or server of somebody else's must not find its way in.
  const own = Object.entries(given).filter(([name]) => !/^(?:ANTHROPIC|CLAUDE)/.test(name));
  return {
    ...Object.fromEntries(own),
    ...besideProxy(given),
    CLAUDE_CONFIG_DIR: configFolder,
    ANTHROPIC_BASE_URL: relay.url,
    ANTHROPIC_API_KEY: relay.token,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    // What one turn has learned is not for the next, and what it started ends with it.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  };
}

// The relay is on this machine, whatever leads to others.
function besideProxy(given: TurnSpec['env']): Record<string, string> {
  if (!Object.keys(given).some((name) => /_proxy$/i.test(name))) return {};
  const direct = [given['NO_PROXY'] ?? given['no_proxy'] ?? '', '127.0.0.1'];
  return { NO_PROXY: direct.filter((host) => host !== '').join(',') };
}

type Hook = NonNullable<NonNullable<Options['hooks']>['PreToolUse']>[number]['hooks'][number];

function fenceHook({ fence, transcript, onTranscriptPath }: QueryParts): Hook {
  return async (given) => {
    if (given.hook_event_name !== 'PreToolUse') return {};
    onTranscriptPath(given.transcript_path);
    const tool = catalogueName(given.tool_name);
    const byChild = given.agent_id !== undefined;
    const fault = await fence
      .faultOf({ tool, input: given.tool_input, byChild })
      .catch(() => ({ kind: 'failed' as const, reason: `${tool} could not be checked.` }));
    if (fault === null) return {};
    transcript.stop(given.tool_use_id, tool, fault);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: fault.reason,
      },
    };
  };
}
