import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createProcessReaper,
  type EventData,
  type Runtime,
  type Toolset,
  type TurnEnd,
  type TurnSpec,
} from '@svc/agent-runtime';
import { createSystemClock, newId, silentLogger } from '@svc/core';
import { type Capability, GRANTABLE_TOOLS, type NewMessage } from '@svc/records';
import {
  createExternalRuntime,
  type ExternalRuntimeDeps,
  type ExternalRuntimeOptions,
} from '@svc/runtime-external';

const clock = createSystemClock();
export const reaper = createProcessReaper({ clock, logger: silentLogger });
const PATH = '/usr/local/bin:/usr/bin:/bin';

const OPERATIONS = {
  list_triggers: { effect: 'reads' },
  set_trigger: { effect: 'mutates' },
  create_chat: { effect: 'starts_turn' },
} as const;

export function makeRuntime(
  options: Partial<ExternalRuntimeOptions> = {},
  deps: Partial<ExternalRuntimeDeps> = {},
): Runtime {
  return createExternalRuntime(
    { clock, logger: silentLogger, reaper, operations: OPERATIONS, path: PATH, ...deps },
    {
      id: 'tool',
      command: '/bin/sh',
      args: [],
      protocol: 'text',
      model: null,
      env: {},
      prices: null,
      ...options,
    },
  );
}

export interface SpecParts extends Partial<Omit<TurnSpec, 'prompt' | 'capability'>> {
  readonly prompt?: string;
  readonly data?: EventData;
  readonly capability?: Partial<Capability>;
}

export function makeSpec(cwd: string, parts: SpecParts = {}): TurnSpec {
  const { prompt = 'Do it.', data, capability = {}, ...rest } = parts;
  const turnId = parts.turnId ?? newId();
  return {
    runId: null,
    sessionId: newId(),
    project: 'demo',
    cwd,
    prompt: { author: prompt, ...(data !== undefined && { data }) },
    capability: {
      runsAs: 'agent',
      agentName: 'trigger-demo-nightly',
      tools: GRANTABLE_TOOLS,
      permissionMode: 'default',
      maxTurns: 30,
      maxSpawnDepth: 1,
      ...capability,
    },
    depth: 0,
    model: null,
    instructions: 'You are an agent under test.',
    resume: null,
    history: async () => [],
    limits: { maxTurns: 30 },
    env: { PATH, HOME: cwd, LANG: 'C.UTF-8', SVC_TURN_ID: turnId },
    toolset: null,
    ...rest,
    turnId,
  };
}

export interface Ran {
  readonly messages: readonly NewMessage[];
  readonly end: TurnEnd;
  readonly sessions: readonly string[];
  /** Text messages of the agent. */
  readonly texts: readonly string[];
  /** Notices of the runtime. */
  readonly notices: readonly string[];
  /** Names of the called tools. */
  readonly called: readonly string[];
}

export async function runTurn(
  runtime: Runtime,
  spec: TurnSpec,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const messages: NewMessage[] = [];
  const ends: TurnEnd[] = [];
  const sessions: string[] = [];
  for await (const event of runtime.start(spec, signal)) {
    if (ends.length > 0) throw new Error('event after the end of the turn');
    if (event.type === 'message') messages.push(event.message);
    else if (event.type === 'session') sessions.push(event.ref);
    else ends.push(event.end);
  }
  const [end] = ends;
  if (end === undefined) throw new Error('the turn has no end');
  const textsOf = (kind: NewMessage['kind']) =>
    messages.filter((message) => message.kind === kind).map(({ text }) => text);
  return {
    messages,
    end,
    sessions,
    texts: textsOf('text'),
    notices: textsOf('notice'),
    called: messages.filter(({ kind }) => kind === 'tool_use').map(({ tool }) => tool?.name ?? ''),
  };
}

/** Runs a turn of a shell script as a text command. */
export function runScript(cwd: string, script: string, parts: SpecParts = {}): Promise<Ran> {
  return runTurn(makeRuntime({ args: ['-c', script] }), makeSpec(cwd, parts));
}

const AGENT = new URL('agents/raw-agent.mjs', import.meta.url).pathname;

/** The options of an agent that performs the steps in its prompt. `behavior` configures the agent itself. */
export function agent(behavior: object = {}): Partial<ExternalRuntimeOptions> {
  return { protocol: 'acp', command: process.execPath, args: [AGENT, JSON.stringify(behavior)] };
}

/** A prompt with steps for that agent. */
export function steps(...list: readonly object[]): string {
  return `[${JSON.stringify(list)}]`;
}

/** Runs one turn of that agent. */
export function runAgent(
  cwd: string,
  list: readonly object[],
  parts: SpecParts = {},
  behavior: object = {},
): Promise<Ran> {
  return runTurn(makeRuntime(agent(behavior)), makeSpec(cwd, { ...parts, prompt: steps(...list) }));
}

/** Operations that record their calls. */
export function recordingToolset(): Toolset & { readonly calls: string[] } {
  const calls: string[] = [];
  const tools = Object.keys(OPERATIONS).map((name) => ({
    name: `mcp__svc_manage__${name}`,
    description: `The operation ${name}.`,
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
  }));
  return {
    calls,
    tools,
    async call(name, args) {
      calls.push(`${name} ${JSON.stringify(args)}`);
      return { text: `${name} was done`, isError: false };
    },
  };
}

/** Runs a test with a temporary folder (real path). */
export async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-external-')));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const from = clock.mono();
  while (!(await condition())) {
    if (clock.mono() - from > 30_000) throw new Error('timed out waiting for a condition');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a process is running; false for a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The process id that another process writes to a file; 0 until the file exists. */
export function pidIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

export async function script(file: string, text: string, mode = 0o755): Promise<string> {
  await writeFile(file, text, { mode });
  return file;
}
