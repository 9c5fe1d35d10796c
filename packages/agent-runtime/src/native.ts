import { failure, type Logger, messageInWords, messageOf, type Result, success } from '@svc/core';
import { GRANTABLE_TOOLS, PERMISSION_MODES } from '@svc/records';
import type { OutboundDeps } from '@svc/sandbox';
import { openFolder } from './adapters/folder.ts';
import { openFolderAs } from './adapters/remote-folder.ts';
import { openShell } from './adapters/shell.ts';
import { createWeb } from './adapters/web.ts';
import type { AgentUser } from './agent-user.ts';
import { createToolPolicy, type OperationEffects, type ToolPolicy } from './decision.ts';
import { eventJson } from './event-json.ts';
import { cachedSelfTest, type SelfTestCache } from './fence/run-self-test.ts';
import { fileRights } from './file-rights.ts';
import type { Folder } from './folder.ts';
import { limitWrites, type WriteLimits } from './limited-folder.ts';
import type { TurnModel } from './model.ts';
import type { ProcessReaper } from './processes.ts';
import {
  type Runtime,
  type RuntimeCapabilities,
  type SelfTestResult,
  stopOf,
  type TurnEnd,
  type TurnEvent,
  type TurnSpec,
  TurnStop,
} from './runtime.ts';
import { runNativeSelfTest } from './self-test.ts';
import { createTally, endOf, type Tally } from './tally.ts';
import { runThread } from './thread.ts';
import type { TurnParts } from './thread-parts.ts';
import { createBuiltInTools } from './tools/built-in.ts';
import { createTaskTool } from './tools/task.ts';
import {
  createTurnNetwork,
  hostListsOf,
  type NetworkOptions,
  recordOf,
  type TurnNetwork,
} from './turn-network.ts';
import type { TurnSandbox, TurnSandboxes } from './turn-sandboxes.ts';

/** Dependencies of the native runtime. */
export interface NativeRuntimeDeps extends OutboundDeps {
  readonly logger: Logger;
  /** The model: `createPlaybook()` or a real model. */
  readonly model: TurnModel;
  readonly reaper: ProcessReaper;
  /** The effects of the operations that turns may have as tools. */
  readonly operations: OperationEffects;
  /** Names of the agent programs on this machine, listed when a prompt needs a model and none is configured. */
  detectRuntimes(): Promise<readonly string[]>;
  /** Whether `/proc` is available; file tools refuse to work without it. Default: detected. */
  readonly hasProc?: () => Promise<boolean>;
}

/** Options of the native runtime. */
export interface NativeRuntimeOptions {
  /** How much one turn may write with file tools. */
  readonly limits?: Partial<WriteLimits>;
  /** The user that turns run as on this machine. Default: the user of this process. */
  readonly user?: AgentUser;
  /** Which hosts WebFetch may connect to, unless `sandboxes` say it. Default: every public host. */
  readonly network?: NetworkOptions;
  /** Sandboxes for Bash. Default: commands run without one. */
  readonly sandboxes?: TurnSandboxes;
  /** The version of this program and where passed self-tests are cached for it. Default: not cached. */
  readonly selfTest?: { readonly version: string; readonly cache: SelfTestCache };
}

/** What the native runtime enforces with the playbook. With a model it also reports the cost. */
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
  readonly policy: ToolPolicy;
  readonly tools: TurnParts['tools'];
  readonly taskTool: TurnParts['taskTool'];
}

/**
 * Creates the embedded runtime, id `native`: a tool loop in this process. Each step is one model call. File tools are
 * limited to the project folder. Every process that a turn starts ends with the turn.
 */
export function createNativeRuntime(
  deps: NativeRuntimeDeps,
  options: NativeRuntimeOptions = {},
): Runtime {
  const native: Native = {
    deps,
    options,
    policy: createToolPolicy(deps.operations),
    tools: createBuiltInTools(),
    taskTool: createTaskTool(),
  };
  const sandbox = options.sandboxes?.shown ?? null;
  return {
    id: 'native',
    holds: {
      ...NATIVE_HOLDS,
      network: options.sandboxes?.limitsNetwork === true ? 'all' : 'except-bash',
      cost: deps.model.cost,
    },
    sandbox,
    probe: (model) => deps.model.probe(model),
    runsSteps: (model) => deps.model.runsSteps?.(model) ?? false,
    promptFault: (prompt, model) => deps.model.promptFault?.(prompt, model) ?? null,
    selfTest: selfTestOf(deps, options),
    start: (spec, signal) => runTurn(native, spec, signal),
  };
}

function selfTestOf(
  deps: NativeRuntimeDeps,
  { user, sandboxes, selfTest }: NativeRuntimeOptions,
): () => Promise<SelfTestResult> {
  const { clock, operations, model } = deps;
  const hasEndpoint = model.cost !== 'none';
  // Write limits are left out, because the self-test must be able to write.
  const same = { ...(user && { user }), ...(sandboxes && { sandboxes }) };
  const key = `native ${selfTest?.version} ${hasEndpoint ? 'chat' : 'playbook'} ${user?.name ?? ''}`;
  return cachedSelfTest(selfTest?.cache, key.trim(), () =>
    runNativeSelfTest({
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
  const { sandboxes, network: hosts = {} } = native.options;
  const lists = hostListsOf(spec.capability, sandboxes?.network ?? hosts);
  const network = createTurnNetwork(native.deps, lists);
  const sandbox = sandboxOf(sandboxes, spec, network, tally);
  const stop = AbortSignal.any([signal, sandbox.failed]);
  const shell = openShell(native.deps, {
    turnId: spec.turnId,
    cwd: spec.cwd,
    env: shellEnv(spec),
    user: native.options.user ?? null,
    sandbox: sandbox.open,
  });
  try {
    const tools = {
      folder: limitWrites(opened.value, native.options.limits),
      shell,
      web: createWeb(native.deps.clock, network.outbound),
    };
    return yield* runPrompt(native, spec, partsOf(native, spec, stop, tally, tools));
  } finally {
    await sandbox.close();
    tally.network = recordOf(network, tally.sandbox);
    // The file helper is ended directly, without searching for it.
    await opened.value.close().finally(() => shell.close());
  }
}

interface NativeSandbox {
  /** Opens the sandbox. Later calls return the same one. */
  readonly open: () => Promise<Result<TurnSandbox | null, string>>;
  /** Aborts with the reason if the sandbox cannot be opened, or ends early. */
  readonly failed: AbortSignal;
  close(): Promise<void>;
}

function sandboxOf(
  sandboxes: TurnSandboxes | undefined,
  { project, cwd, capability }: TurnSpec,
  network: TurnNetwork,
  tally: Tally,
): NativeSandbox {
  const failing = new AbortController();
  const fail = (reason: string): void => failing.abort(new TurnStop('failed', reason));
  let opening: Promise<Result<TurnSandbox | null, string>> | null = null;
  const open = async (): Promise<Result<TurnSandbox | null, string>> => {
    const turn = { project, cwd, capability, runtime: 'native', programs: [], logins: [], network };
    const opened = (await sandboxes?.open(turn)) ?? success(null);
    if (!opened.ok) fail(opened.error);
    else {
      tally.sandbox = opened.value?.state ?? 'none';
      const ended = opened.value?.failed;
      ended?.addEventListener('abort', () => failing.abort(ended.reason));
    }
    return opened;
  };
  return {
    failed: failing.signal,
    open() {
      opening ??= open();
      return opening;
    },
    async close() {
      const opened = await opening;
      if (opened?.ok === true) await opened.value?.close();
    },
  };
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

// Linux does not accept environment variables of 128 KiB or more.
const MOST_EVENT_VARIABLE = 120 * 1024;

// Steps get event data only as an environment variable, so that it cannot be parsed as a step.
function shellEnv(spec: TurnSpec): Readonly<Record<string, string>> {
  const { data } = spec.prompt;
  if (data === undefined) return spec.env;
  const json = eventJson(data, { maxBytes: MOST_EVENT_VARIABLE, inOneLine: true });
  return { ...spec.env, SVC_EVENT_JSON: json };
}

function partsOf(
  native: Native,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
  used: Pick<TurnParts['context'], 'folder' | 'shell' | 'web'>,
): TurnParts {
  const { deps, policy, tools, taskTool } = native;
  const rights = fileRights(spec.capability);
  return {
    spec,
    model: deps.model,
    tools,
    policy,
    taskTool,
    tally,
    context: { clock: deps.clock, rights, signal, ...used },
    detectRuntimes: () => deps.detectRuntimes(),
    report: (tool, error) =>
      deps.logger.error(
        { turnId: spec.turnId, tool, error: messageOf(error) },
        'tool failed unexpectedly',
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
      'turn failed unexpectedly',
    );
    return { outcome: 'failed', reason: `The turn failed: ${messageOf(error)}.` };
  }
}
