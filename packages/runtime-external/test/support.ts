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
  /** What the assistant said. */
  readonly said: readonly string[];
  /** What the service told. */
  readonly notices: readonly string[];
  /** Names of the tools that were called. */
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
    if (ends.length > 0) throw new Error('something came after the end');
    if (event.type === 'message') messages.push(event.message);
    else if (event.type === 'session') sessions.push(event.ref);
    else ends.push(event.end);
  }
  const [end] = ends;
  if (end === undefined) throw new Error('the turn has no end');
  const texts = (kind: NewMessage['kind']) =>
    messages.filter((one) => one.kind === kind).map(({ text }) => text);
  return {
    messages,
    end,
    sessions,
    said: texts('text'),
    notices: texts('notice'),
    called: messages.filter(({ kind }) => kind === 'tool_use').map(({ tool }) => tool?.name ?? ''),
  };
}

/** A turn of a shell script as a text command. */
export function runScript(cwd: string, script: string, parts: SpecParts = {}): Promise<Ran> {
  return runTurn(makeRuntime({ args: ['-c', script] }), makeSpec(cwd, parts));
}

const AGENT = new URL('agents/raw-agent.mjs', import.meta.url).pathname;

/** The options of an agent that does what its prompt says; `how` is what else it does. */
export function agent(how: object = {}): Partial<ExternalRuntimeOptions> {
  return { protocol: 'acp', command: process.execPath, args: [AGENT, JSON.stringify(how)] };
}

/** Steps of such an agent as a prompt. */
export function steps(...list: readonly object[]): string {
  return `[${JSON.stringify(list)}]`;
}

/** One turn of such an agent. */
export function runAgent(
  cwd: string,
  list: readonly object[],
  parts: SpecParts = {},
  how: object = {},
): Promise<Ran> {
  return runTurn(makeRuntime(agent(how)), makeSpec(cwd, { ...parts, prompt: steps(...list) }));
}

/** Operations that note how they are called. */
export function notingToolset(): Toolset & { readonly calls: string[] } {
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

/** Gives a test a fresh folder (real path) and removes it afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-external-')));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const from = clock.mono();
  while (!(await holds())) {
    if (clock.mono() - from > 30_000) throw new Error('it did not happen within 30 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a process runs; one that has ended but was not yet collected by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The number in a file that another process writes; 0 until there is one. */
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
