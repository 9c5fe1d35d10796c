import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { OperationEffects, TurnSandbox, TurnSpec } from '@svc/agent-runtime';
import { MANAGE_PREFIX } from '@svc/records';
import type { AgentProcess } from './adapters/agent-process.ts';
import type { Relay } from './adapters/relay.ts';
import { type CallGuard, catalogueName } from './call-guard.ts';
import { createManageServer, MANAGE_SERVER } from './manage-server.ts';
import type { Transcript } from './transcript.ts';

/** The parts of the query options. */
export interface QueryParts {
  readonly spec: TurnSpec;
  /** The project folder with links resolved. */
  readonly cwd: string;
  readonly guard: CallGuard;
  readonly transcript: Transcript;
  readonly relay: Pick<Relay, 'url' | 'token'>;
  readonly process: AgentProcess;
  readonly sandbox: TurnSandbox | null;
  readonly program: string;
  readonly configFolder: string;
  readonly model: string | null;
  readonly systemPrompt: string;
  readonly session: Pick<Options, 'resume' | 'forkSession' | 'sessionId'>;
  readonly effects: OperationEffects;
  readonly abort: AbortController;
  /** Called with the path of the session transcript of the agent program. */
  readonly onTranscriptPath: (path: string) => void;
}

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep']);
const EDIT_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit']);

function budgetOf({ limits: { costMicrousd = null } }: TurnSpec): Pick<Options, 'maxBudgetUsd'> {
  return costMicrousd === null ? {} : { maxBudgetUsd: costMicrousd / 1e6 };
}

/** Creates the options of a query that limit it to the capability of the turn. */
export function queryOptions(parts: QueryParts): Options {
  const { spec, guard, relay, process, abort } = parts;
  const builtIn = guard.tools.filter((tool) => !tool.startsWith(MANAGE_PREFIX));
  return {
    abortController: abort,
    cwd: parts.cwd,
    env: environmentOf(spec.env, relay, parts.configFolder),
    pathToClaudeCodeExecutable: parts.program,
    spawnClaudeCodeProcess: (options) => process.spawn(options),
    tools: builtIn,
    allowedTools: autoAllowed(guard.tools),
    // No user can answer permission prompts, and unlisted tools do not exist.
    permissionMode: 'dontAsk',
    permissionPrompts: 'none',
    hooks: { PreToolUse: [{ hooks: [guardHook(parts)] }] },
    settingSources: [],
    settings: {
      attribution: { commit: '', pr: '' },
      // It would ask a server of the vendor about each host, although the proxy of the sandbox decides.
      ...(parts.sandbox?.state === 'enforced' && { skipWebFetchPreflight: true }),
    },
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

// The bare name of a file tool would allow it outside of the project folder.
function autoAllowed(tools: readonly string[]): string[] {
  const edits = tools.some((tool) => EDIT_TOOLS.has(tool));
  const others = tools.filter((tool) => !FILE_TOOLS.has(tool) && !EDIT_TOOLS.has(tool));
  return [...others, ...(edits ? ['Edit(./**)'] : [])];
}

function serversOf({
  spec,
  guard,
  effects,
  abort,
}: QueryParts): NonNullable<Options['mcpServers']> {
  const allowed = guard.tools.filter((tool) => tool.startsWith(MANAGE_PREFIX));
  if (spec.toolset === null || allowed.length === 0) return {};
  const { toolset } = spec;
  return {
    [MANAGE_SERVER]: createManageServer({ toolset, allowed, effects, signal: abort.signal }),
  };
}

function environmentOf(
  turnEnv: TurnSpec['env'],
  relay: QueryParts['relay'],
  configFolder: string,
): Record<string, string> {
  // The turn must not use another key, login or server.
  const kept = Object.entries(turnEnv).filter(([name]) => !/^(?:ANTHROPIC|CLAUDE)/.test(name));
  return {
    ...Object.fromEntries(kept),
    ...bypassProxy(turnEnv),
    CLAUDE_CONFIG_DIR: configFolder,
    ANTHROPIC_BASE_URL: relay.url,
    ANTHROPIC_API_KEY: relay.token,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    // Turns do not share memory, and background tasks must end with the turn.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  };
}

// The relay runs on this machine and must not be reached through the proxy.
function bypassProxy(turnEnv: TurnSpec['env']): Record<string, string> {
  if (!Object.keys(turnEnv).some((name) => /_proxy$/i.test(name))) return {};
  const direct = [turnEnv['NO_PROXY'] ?? turnEnv['no_proxy'] ?? '', '127.0.0.1'];
  return { NO_PROXY: direct.filter((host) => host !== '').join(',') };
}

type Hook = NonNullable<NonNullable<Options['hooks']>['PreToolUse']>[number]['hooks'][number];

function guardHook({ guard, transcript, onTranscriptPath }: QueryParts): Hook {
  return async (event) => {
    if (event.hook_event_name !== 'PreToolUse') return {};
    onTranscriptPath(event.transcript_path);
    const tool = catalogueName(event.tool_name);
    const byChild = event.agent_id !== undefined;
    const fault = await guard
      .check({ tool, input: event.tool_input, byChild })
      .catch(() => ({ kind: 'failed' as const, reason: `${tool} could not be checked.` }));
    if (fault === null) return {};
    transcript.block(event.tool_use_id, tool, fault);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: fault.reason,
      },
    };
  };
}
