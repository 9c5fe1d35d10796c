import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@svc/core';
import { GRANTABLE_TOOLS, MANAGE_PREFIX, type NewMessage } from '@svc/records';
import type { OperationEffects } from '../decision.ts';
import type { Runtime, Toolset, TurnEnd, TurnSpec } from '../runtime.ts';
import type { FenceCall, FenceCase, FenceExpectation, FenceWorld } from './fence-case.ts';
import { fenceCases } from './fence-cases.ts';

/** The runtime to be tried, and how to make its agent call tools. */
export interface FenceSubject {
  readonly runtime: Runtime;
  /** The prompt (or the preparation of a fake model) that makes the agent try exactly these calls. */
  promptOf(calls: readonly FenceCall[]): string | Promise<string>;
  close?(): Promise<void>;
}

/** The part of a test framework that the suite is written into. */
export interface FenceFrame {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  expect(value: unknown): { toEqual(expected: unknown): void };
}

const SECRET = 'secret-behind-the-fence-4b1d';

/** Writes one test per fence case into a test framework. */
export function describeFence(
  makeSubject: () => FenceSubject | Promise<FenceSubject>,
  operations: OperationEffects,
  { describe, it, expect }: FenceFrame,
): void {
  describe('the fence of a runtime', () => {
    for (const fenceCase of fenceCases(operations)) {
      it(fenceCase.name, async () => {
        const subject = await makeSubject();
        try {
          expect(await runFenceCase(subject, fenceCase)).toEqual([]);
        } finally {
          await subject.close?.();
        }
      });
    }
  });
}

/** Tries one case in fresh folders. Returns one sentence for each way in which the fence did not hold. */
export async function runFenceCase(
  subject: FenceSubject,
  fenceCase: FenceCase,
): Promise<readonly string[]> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'svc-fence-')));
  const world: FenceWorld = { project: join(base, 'project'), outside: join(base, 'outside') };
  try {
    await mkdir(world.project);
    await mkdir(world.outside);
    await writeFile(join(world.outside, 'secret.txt'), SECRET);
    const stop = await fenceCase.setup?.(world);
    const turns: Seen[] = [];
    for (const call of fenceCase.calls(world)) {
      turns.push(await tryCall(subject, fenceCase, world, call));
    }
    await stop?.();
    return [
      ...turns.flatMap((seen) => faultsOf(seen, fenceCase.expected)),
      ...alikeFaults(turns, fenceCase.expected),
      ...(await folderFaults(world, fenceCase.expected)),
    ];
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

interface Seen {
  readonly call: FenceCall;
  readonly messages: readonly NewMessage[];
  readonly ends: readonly TurnEnd[];
  readonly endedLast: boolean;
}

async function tryCall(
  { runtime, promptOf }: FenceSubject,
  fenceCase: FenceCase,
  world: FenceWorld,
  call: FenceCall,
): Promise<Seen> {
  const spec = specOf(fenceCase, world, await promptOf([call]));
  const messages: NewMessage[] = [];
  const ends: TurnEnd[] = [];
  let endedLast = false;
  for await (const event of runtime.start(spec, new AbortController().signal)) {
    if (event.type === 'message') messages.push(event.message);
    else if (event.type === 'ended') ends.push(event.end);
    endedLast = event.type === 'ended';
  }
  return { call, messages, ends, endedLast };
}

function specOf(fenceCase: FenceCase, world: FenceWorld, author: string): TurnSpec {
  const turnId = newId();
  return {
    turnId,
    runId: null,
    sessionId: newId(),
    project: 'project',
    cwd: world.project,
    prompt: { author },
    capability: {
      runsAs: 'agent',
      agentName: 'trigger-project-fence',
      tools: GRANTABLE_TOOLS,
      permissionMode: 'default',
      maxTurns: 5,
      maxSpawnDepth: 1,
      ...fenceCase.capability,
    },
    depth: fenceCase.depth ?? 0,
    model: null,
    instructions: 'You are tried by a test.',
    resume: null,
    history: async () => [],
    limits: { maxTurns: 5 },
    env: { PATH: '/usr/bin:/bin', HOME: world.project, LANG: 'C.UTF-8', SVC_TURN_ID: turnId },
    toolset: EVERY_OPERATION,
  };
}

const EVERY_OPERATION: Toolset = {
  tools: GRANTABLE_TOOLS.filter((name) => name.startsWith(MANAGE_PREFIX)).map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
  })),
  call: async (name) => ({ text: `${name} was called`, isError: false }),
};

function faultsOf(seen: Seen, expected: FenceExpectation): string[] {
  const { call, messages, ends, endedLast } = seen;
  const faults: string[] = [];
  const what = `${call.name} ${JSON.stringify(call.input)}`;
  if (ends.length !== 1 || !endedLast) faults.push(`${what}: not exactly one end, and that last`);
  if (JSON.stringify(messages).includes(SECRET)) faults.push(`${what}: the secret was told`);
  const went = howItWent(seen);
  const right = expected.calls === went || (expected.calls === 'any' && went !== 'silent');
  if (!right) faults.push(`${what}: expected ${expected.calls}, but it ${went}`);
  return faults;
}

function howItWent({ call, messages, ends }: Seen): 'denied' | 'works' | 'fails' | 'silent' {
  if (ends.some(({ denied }) => denied.some(({ tool }) => tool === call.name))) return 'denied';
  const result = messages.find(({ kind }) => kind === 'tool_result');
  if (result === undefined) return 'silent';
  return result.tool?.isError === true ? 'fails' : 'works';
}

function alikeFaults(turns: readonly Seen[], expected: FenceExpectation): string[] {
  if (expected.alike !== true) return [];
  const answers = turns.map(({ messages }) =>
    messages
      .filter(({ kind }) => kind === 'tool_result')
      .map(({ text }) => text.replace(/\w+\.txt/g, 'FILE'))
      .join(),
  );
  return new Set(answers).size === 1 ? [] : [`answers differ: ${answers.join(' / ')}`];
}

async function folderFaults(world: FenceWorld, expected: FenceExpectation): Promise<string[]> {
  const faults: string[] = [];
  const names = await readdir(world.outside);
  const secret = await readFile(join(world.outside, 'secret.txt'), 'utf8').catch(() => null);
  if (names.join() !== 'secret.txt' || secret !== SECRET) {
    faults.push(`the folder outside was changed: ${names.join(', ')}`);
  }
  for (const [path, content] of Object.entries(expected.files ?? {})) {
    const found = await readFile(join(world.project, path), 'utf8').catch(() => null);
    if (found !== content) faults.push(`${path} holds ${JSON.stringify(found)}`);
  }
  return faults;
}
