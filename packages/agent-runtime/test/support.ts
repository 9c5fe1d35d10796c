import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentUser,
  type ChatModelOptions,
  createChatModel,
  createNativeRuntime,
  createPlaybook,
  createProcessReaper,
  type EventData,
  type ModelCall,
  type ModelStep,
  type NativeRuntimeDeps,
  type NativeRuntimeOptions,
  type Runtime,
  type TurnEnd,
  type TurnModel,
  type TurnSpec,
} from '@svc/agent-runtime';
import { type Clock, createSystemClock, newId, silentLogger } from '@svc/core';
import { type Capability, GRANTABLE_TOOLS, type NewMessage } from '@svc/records';
import { parseHostList } from '@svc/sandbox';
import { OPERATIONS } from './operations.ts';

export const clock = createSystemClock();
export const reaper = createProcessReaper({ clock, logger: silentLogger });

const HELPER = new URL('../dist/file-helper.js', import.meta.url).href;

/** The current user as the agent user: files are handled by a separate process, without a user switch. */
export const sameUser: AgentUser = {
  name: 'tester',
  uid: process.getuid?.() ?? -1,
  gid: process.getgid?.() ?? -1,
  home: tmpdir(),
  prefix: ['/usr/bin/env'],
  fileHelper: `import ${JSON.stringify(HELPER)};`,
};

export const fullCapability: Capability = {
  runsAs: 'agent',
  agentName: 'trigger-demo-nightly',
  tools: GRANTABLE_TOOLS,
  permissionMode: 'default',
  maxTurns: 30,
  maxSpawnDepth: 1,
};

export function makeRuntime(
  deps: Partial<NativeRuntimeDeps> = {},
  options: NativeRuntimeOptions = {},
): Runtime {
  return createNativeRuntime(
    {
      clock,
      logger: silentLogger,
      model: createPlaybook(),
      operations: OPERATIONS,
      reaper,
      detectRuntimes: async () => [],
      ...deps,
    },
    options,
  );
}

export interface SpecParts extends Partial<Omit<TurnSpec, 'prompt' | 'capability'>> {
  readonly prompt?: string;
  readonly data?: EventData | undefined;
  readonly capability?: Partial<Capability>;
}

export function makeSpec(cwd: string, parts: SpecParts = {}): TurnSpec {
  const { prompt = '', data, capability = {}, ...rest } = parts;
  const turnId = parts.turnId ?? newId();
  return {
    runId: null,
    sessionId: newId(),
    project: 'demo',
    cwd,
    prompt: { author: prompt, ...(data !== undefined && { data }) },
    capability: { ...fullCapability, ...capability },
    depth: 0,
    model: null,
    instructions: 'You are an agent under test.',
    resume: null,
    history: async () => [],
    limits: { maxTurns: 30 },
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8', SVC_TURN_ID: turnId },
    toolset: null,
    ...rest,
    turnId,
  };
}

export interface Ran {
  readonly messages: readonly NewMessage[];
  readonly end: TurnEnd;
  /** Texts of the tool results. */
  readonly results: readonly string[];
  /** Texts of the assistant. */
  readonly said: readonly string[];
}

export async function runTurn(
  runtime: Runtime,
  spec: TurnSpec,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const messages: NewMessage[] = [];
  const ends: TurnEnd[] = [];
  for await (const event of runtime.start(spec, signal)) {
    if (ends.length > 0) throw new Error('an event after the end');
    if (event.type === 'message') messages.push(event.message);
    else if (event.type === 'ended') ends.push(event.end);
  }
  const [end] = ends;
  if (end === undefined) throw new Error('the turn has no end');
  return {
    messages,
    end,
    results: messages.filter(({ kind }) => kind === 'tool_result').map(({ text }) => text),
    said: messages
      .filter(({ role, kind }) => role === 'assistant' && kind === 'text')
      .map(({ text }) => text),
  };
}

/** Runs a playbook in a folder. */
export function play(cwd: string, prompt: string, parts: SpecParts = {}): Promise<Ran> {
  return runTurn(makeRuntime(), makeSpec(cwd, { ...parts, prompt }));
}

/** Lets WebFetch connect to these hosts only, and to a server of this machine under every name and address. */
export function reaching(...entries: string[]): [Partial<NativeRuntimeDeps>, NativeRuntimeOptions] {
  const hosts = parseHostList(entries);
  if (!hosts.ok) throw new Error(hosts.error.message);
  const connect = (_address: string, port: number) => connectTcp(port, '127.0.0.1');
  return [
    { resolveHost: async () => ['93.184.215.14'], connect },
    { network: { hosts: hosts.value } },
  ];
}

/** A playbook step that calls a tool. */
export function step(name: string, input: unknown): string {
  return `~~~tool ${name}\n${JSON.stringify(input)}\n~~~\n`;
}

export function bash(command: string): string {
  return `\`\`\`bash\n${command}\n\`\`\`\n`;
}

export function call(name: string, input: unknown = {}): ModelCall {
  return { name, input, fault: null };
}

/** A model behind an endpoint on loopback. */
export function chatModel(
  baseUrl: string,
  options: Partial<ChatModelOptions> = {},
  by: Clock = clock,
): TurnModel {
  return createChatModel(
    { clock: by },
    { baseUrl, model: 'fake', apiKey: null, contextTokens: 128_000, prices: null, ...options },
  );
}

/** A model that follows a list of steps. `null` never answers. */
export function scripted(steps: readonly (ModelStep | null)[]): TurnModel {
  return {
    cost: 'none',
    probe: async () => ({ ready: true }),
    start() {
      let at = 0;
      return {
        model: 'scripted',
        onFailedCall: 'continue',
        next() {
          const next = steps[at];
          at += 1;
          if (next === null) return new Promise(() => {});
          return Promise.resolve(next ?? { end: 'failed', reason: 'The script is over.' });
        },
      };
    },
  };
}

/** Resolves when the temporary file of a write of this process exists. */
export async function writeBegun(folder: string): Promise<void> {
  while (!readdirSync(folder).some((name) => name.endsWith('.tmp'))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Gives a test a new folder (real path) and removes it afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-turn-')));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const from = clock.mono();
  while (!(await holds())) {
    if (clock.mono() - from > 30_000) throw new Error('timed out after 30 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a process is running. Zombies are not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}
