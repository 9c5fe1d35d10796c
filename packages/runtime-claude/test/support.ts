import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessReaper, type Runtime, type TurnEnd, type TurnSpec } from '@svc/agent-runtime';
import { createSystemClock, newId, silentLogger } from '@svc/core';
import { type Capability, GRANTABLE_TOOLS, type NewMessage } from '@svc/records';
import { type ClaudeRuntimeOptions, createClaudeRuntime } from '@svc/runtime-claude';
import { OPERATIONS } from './operations.ts';

export const clock = createSystemClock();
export const reaper = createProcessReaper({ clock, logger: silentLogger });

export function makeRuntime(
  stateFolder: string,
  options: Partial<ClaudeRuntimeOptions> = {},
): Runtime {
  return createClaudeRuntime(
    { clock, logger: silentLogger, reaper, operations: OPERATIONS },
    {
      model: null,
      baseUrl: null,
      apiKey: () => null,
      projectInstructions: false,
      stateFolder,
      ...options,
    },
  );
}

export interface SpecParts extends Partial<Omit<TurnSpec, 'capability'>> {
  readonly capability?: Partial<Capability>;
}

export function makeSpec(cwd: string, { capability = {}, ...rest }: SpecParts = {}): TurnSpec {
  const turnId = rest.turnId ?? newId();
  return {
    runId: null,
    sessionId: newId(),
    project: 'demo',
    cwd,
    prompt: { author: 'Do it.' },
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
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8', SVC_TURN_ID: turnId },
    toolset: null,
    ...rest,
    turnId,
  };
}

export interface Ran {
  readonly messages: readonly NewMessage[];
  readonly end: TurnEnd;
  readonly sessions: readonly string[];
  /** Texts of the tool results. */
  readonly results: readonly string[];
  /** Text messages of the agent. */
  readonly texts: readonly string[];
}

export async function runTurn(
  runtime: Runtime,
  spec: TurnSpec,
  signal: AbortSignal = new AbortController().signal,
  onMessage: (message: NewMessage) => void = () => {},
): Promise<Ran> {
  const messages: NewMessage[] = [];
  const ends: TurnEnd[] = [];
  const sessions: string[] = [];
  for await (const event of runtime.start(spec, signal)) {
    if (ends.length > 0) throw new Error('event after the end of the turn');
    if (event.type === 'session') sessions.push(event.ref);
    if (event.type === 'ended') ends.push(event.end);
    if (event.type !== 'message') continue;
    messages.push(event.message);
    onMessage(event.message);
  }
  const [end] = ends;
  if (end === undefined) throw new Error('the turn has no end');
  return {
    messages,
    end,
    sessions,
    results: messages.filter(({ kind }) => kind === 'tool_result').map(({ text }) => text),
    texts: messages
      .filter(({ role, kind }) => role === 'assistant' && kind === 'text')
      .map(({ text }) => text),
  };
}

/** Runs a test with a temporary folder (real path). */
export async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-claude-')));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const from = clock.mono();
  while (!(await condition())) {
    if (clock.mono() - from > 120_000) throw new Error('timed out waiting for a condition');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
