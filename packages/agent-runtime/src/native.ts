import {
  type Clock,
  failure,
  type Logger,
  messageInWords,
  messageOf,
  type Result,
  success,
} from '@svc/core';
import { GRANTABLE_TOOLS, PERMISSION_MODES } from '@svc/records';
import { openFolder } from './adapters/folder.ts';
import { openFolderAs } from './adapters/remote-folder.ts';
import { openShell } from './adapters/shell.ts';
import { createWeb } from './adapters/web.ts';
import type { AgentUser } from './agent-user.ts';
import { tryNativeFence } from './canary.ts';
import { createToolPolicy, type OperationEffects, type ToolPolicy } from './decision.ts';
import { eventJson } from './event-json.ts';
import { type FenceMemory, rememberedFence } from './fence/try-fence.ts';
import { fileRights } from './file-rights.ts';
import type { Folder } from './folder.ts';
import { limitWrites, type WriteLimits } from './limited-folder.ts';
import type { TurnModel } from './model.ts';
import type { NetworkTables } from './own-networks.ts';
import type { ProcessReaper } from './processes.ts';
import {
  type FenceVerdict,
  type Runtime,
  type RuntimeCapabilities,
  stopOf,
  type TurnEnd,
  type TurnEvent,
  type TurnSpec,
} from './runtime.ts';
import type { Shell } from './shell.ts';
import { createTally, endOf, type Tally } from './tally.ts';
import { runThread } from './thread.ts';
import type { TurnParts } from './thread-parts.ts';
import { createBuiltInTools } from './tools/built-in.ts';
import { createTaskTool } from './tools/task.ts';
import type { Web, WebOptions } from './web.ts';

/** What the native runtime works with. */
export interface NativeRuntimeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** What thinks: `createPlaybook()`, or a real model. */
  readonly model: TurnModel;
  readonly reaper: ProcessReaper;
  /** What the operations that turns may have as tools do to the world. */
  readonly operations: OperationEffects;
  /** Names of the agent programs on this machine, told where a prompt needs a model and there is none. */
  detectRuntimes(): Promise<readonly string[]>;
  /** All addresses of a host name, for WebFetch. Default: the system's resolver. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
  /** What leads to this machine, which WebFetch refuses. Default: the system's own tables. */
  readonly network?: NetworkTables;
  /** Whether Linux's `/proc` is there, without which file tools refuse to work. Default: looked up. */
  readonly hasProc?: () => Promise<boolean>;
}

/** How the native runtime behaves. */
export interface NativeRuntimeOptions {
  readonly webFetch?: WebOptions;
  /** How much one turn may write with file tools. */
  readonly limits?: Partial<WriteLimits>;
  /** Whom everything that a turn does on this machine is done as. Default: the user of this process. */
  readonly user?: AgentUser;
  /** Where it is kept that the fence of a version of this program was seen to hold. Default: nowhere. */
  readonly canary?: { readonly version: string; readonly remember: FenceMemory };
}

/** What the native runtime holds with the playbook; with a model it knows more of the cost. */
export const NATIVE_HOLDS: RuntimeCapabilities = {
  tools: GRANTABLE_TOOLS.filter((name) => name !== 'WebSearch'),
  toolAllowList: 'enforced',
  maxTurns: 'exact',
  permissionModes: PERMISSION_MODES,
  resume: true,
  fork: true,
  svcManage: 'in-process',
  cost: 'none',
};

const MARKS: readonly string[] = ['SVC_TURN_ID', 'SVC_RUN_ID'];

type Close = Pick<TurnEnd, 'outcome' | 'reason'>;

interface Native {
  readonly deps: NativeRuntimeDeps;
  readonly options: NativeRuntimeOptions;
  readonly web: Web;
  readonly policy: ToolPolicy;
  readonly tools: TurnParts['tools'];
  readonly taskTool: TurnParts['taskTool'];
}

/**
 * Makes the embedded runtime, id `native`: a tool loop in this process. One turn is one model call; file tools stay
 * inside the project folder; every process that a turn starts is ended with it.
 */
export function createNativeRuntime(
  deps: NativeRuntimeDeps,
  options: NativeRuntimeOptions = {},
): Runtime {
  const native: Native = {
    deps,
    options,
    web: createWeb(deps, options.webFetch ?? {}),
    policy: createToolPolicy(deps.operations),
    tools: createBuiltInTools(),
    taskTool: createTaskTool(),
  };
  return {
    id: 'native',
    holds: { ...NATIVE_HOLDS, cost: deps.model.cost },
    probe: (model) => deps.model.probe(model),
    runsSteps: (model) => deps.model.runsSteps?.(model) ?? false,
    promptFault: (prompt, model) => deps.model.promptFault?.(prompt, model) ?? null,
    fence: fenceOf(deps, options),
    start: (spec, signal) => runTurn(native, spec, signal),
  };
}

function fenceOf(
  deps: NativeRuntimeDeps,
  { user, canary }: NativeRuntimeOptions,
): () => Promise<FenceVerdict> {
  const { clock, operations, model } = deps;
  const hasEndpoint = model.cost !== 'none';
  // Without the limits of what a turn may write: the trial must be able to write.
  const same = { ...(user && { user }) };
  const key = `native ${canary?.version} ${hasEndpoint ? 'chat' : 'playbook'} ${user?.name ?? ''}`;
  return rememberedFence(canary?.remember, key.trim(), () =>
    tryNativeFence({
      clock,
      operations,
      makeRuntime: (other) => createNativeRuntime({ ...deps, model: other }, same),
      user,
      hasEndpoint,
    }),
  );
}

async function* runTurn(
  native: Native,
  spec: TurnSpec,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void> {
  const tally = createTally();
  const close = signal.aborted
    ? stopClose(signal)
    : yield* runInFolder(native, spec, signal, tally);
  yield { type: 'ended', end: endOf(tally, close) };
}

function stopClose(signal: AbortSignal): Close {
  const { kind, reason } = stopOf(signal);
  return { outcome: kind, reason };
}

async function* runInFolder(
  native: Native,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
): AsyncGenerator<TurnEvent, Close> {
  const opened = await openProject(native, spec, signal);
  if (!opened.ok) return { outcome: 'failed', reason: opened.error };
  const shell = openShell(native.deps, {
    turnId: spec.turnId,
    cwd: spec.cwd,
    env: shellEnv(spec),
    user: native.options.user ?? null,
  });
  try {
    return yield* runPrompt(
      native,
      spec,
      partsOf(native, spec, signal, tally, opened.value, shell),
    );
  } finally {
    // What works on files needs no looking for.
    await opened.value.close().finally(() => shell.close());
  }
}

async function openProject(
  native: Native,
  spec: TurnSpec,
  signal: AbortSignal,
): Promise<Result<Folder, string>> {
  try {
    const folder = await openFolderOf(native, spec, signal);
    return folder === null ? failure('The project folder does not exist.') : success(folder);
  } catch (error) {
    return failure(`The project folder cannot be opened: ${messageInWords(error)}.`);
  }
}

function openFolderOf(
  { deps, options: { user } }: Native,
  { cwd, env }: TurnSpec,
  signal: AbortSignal,
): Promise<Folder | null> {
  if (user === undefined) return openFolder(cwd, deps.hasProc);
  const marks = Object.fromEntries(Object.entries(env).filter(([name]) => MARKS.includes(name)));
  return openFolderAs(deps, { user, cwd, marks, signal });
}

// Linux takes no variable of 128 KiB.
const MOST_EVENT_VARIABLE = 120 * 1024;

// Event data reaches steps as an environment variable only, where nothing can take it for a step.
function shellEnv(spec: TurnSpec): Readonly<Record<string, string>> {
  const { data } = spec.prompt;
  if (data === undefined) return spec.env;
  const told = eventJson(data, { maxBytes: MOST_EVENT_VARIABLE, inOneLine: true });
  return { ...spec.env, SVC_EVENT_JSON: told };
}

function partsOf(
  native: Native,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
  opened: Folder,
  shell: Shell,
): TurnParts {
  const { deps, web, policy, tools, taskTool } = native;
  const rights = fileRights(spec.capability);
  const folder = limitWrites(opened, native.options.limits);
  return {
    spec,
    model: deps.model,
    tools,
    policy,
    taskTool,
    tally,
    context: { clock: deps.clock, folder, rights, shell, web, signal },
    detectRuntimes: () => deps.detectRuntimes(),
    report: (tool, error) =>
      deps.logger.error(
        { turnId: spec.turnId, tool, error: messageOf(error) },
        'a tool failed unexpectedly',
      ),
  };
}

async function* runPrompt(
  native: Native,
  spec: TurnSpec,
  parts: TurnParts,
): AsyncGenerator<TurnEvent, Close> {
  const { prompt, history, capability, depth } = spec;
  try {
    const thread = { prompt, history, capability, depth, within: null };
    const { outcome, reason } = yield* runThread(parts, thread);
    return { outcome, reason };
  } catch (error) {
    native.deps.logger.error(
      { turnId: spec.turnId, error: messageOf(error) },
      'a turn failed unexpectedly',
    );
    return { outcome: 'failed', reason: `The turn failed: ${messageOf(error)}.` };
  }
}
