import {
  chown,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cachedSelfTest,
  type SelfTestResult,
  type TurnEnd,
  type TurnSpec,
} from '@svc/agent-runtime';
import { createKeyedMutex, messageOf, newId } from '@svc/core';
import { MANAGE_PREFIX } from '@svc/records';
import { openState } from './adapters/runtime-state.ts';
import { type ScriptedModel, startScriptedModel } from './adapters/scripted-model.ts';
import type { ClaudeParts } from './claude-parts.ts';
import { runTurn } from './turn.ts';
import { OWN_VERSION } from './version.ts';

const SECRET = 'self-test-secret';
const TIMEOUT_MS = 60_000;

/**
 * Creates the self-test: one turn with a scripted model on the loopback interface whose agent attempts to escape from a
 * temporary folder. A pass is cached for the versions of the SDK and this package and for the user. A newly installed SDK is
 * tested again.
 */
export function createSelfTest(parts: ClaudeParts): () => Promise<SelfTestResult> {
  const tests = new Map<string, () => Promise<SelfTestResult>>();
  return async () => {
    const found = await parts.findSdk();
    if (!found.ok) return { passed: false, reason: found.error };
    const key = [found.value.version, OWN_VERSION, parts.options.user?.name ?? ''].join(' ');
    const test =
      tests.get(key) ??
      cachedSelfTest(parts.state.selfTests, key, () => runSelfTest(parts).catch(testError));
    tests.set(key, test);
    return test();
  };
}

function testError(error: unknown): SelfTestResult {
  return { passed: false, reason: `The self-test could not run: ${messageOf(error)}` };
}

interface TestFolders {
  readonly base: string;
  readonly project: string;
  readonly outside: string;
  readonly config: string;
}

async function runSelfTest(parts: ClaudeParts): Promise<SelfTestResult> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'svc-self-test-')));
  const folders = {
    base,
    project: join(base, 'project'),
    outside: join(base, 'outside'),
    config: join(base, 'state'),
  };
  const model = await startScriptedModel();
  try {
    await createFolders(folders, parts);
    model.script(stepsIn(folders).map((call) => ({ calls: [call] })));
    const called: string[] = [];
    const end = await runTestTurn(parts, folders, model, called);
    const reason = await findEscape(folders, model, end, called);
    return reason === null ? { passed: true } : { passed: false, reason };
  } finally {
    await model.close();
    await rm(base, { recursive: true, force: true });
  }
}

async function createFolders(
  folders: TestFolders,
  { options: { user } }: ClaudeParts,
): Promise<void> {
  for (const folder of [folders.project, folders.outside, folders.config]) await mkdir(folder);
  await writeFile(join(folders.outside, 'secret.txt'), SECRET);
  await writeFile(join(folders.project, 'project.yaml'), 'name: self-test\n');
  await writeFile(join(folders.project, 'inside.txt'), 'readable text\n');
  await symlink(join(folders.outside, 'secret.txt'), join(folders.project, 'link.txt'));
  if (user === undefined) return;
  // File permissions must not hide a missing check, so the user owns everything.
  for (const path of [
    folders.base,
    folders.project,
    join(folders.project, 'project.yaml'),
    join(folders.project, 'inside.txt'),
    folders.outside,
    join(folders.outside, 'secret.txt'),
  ]) {
    await chown(path, user.uid, user.gid);
  }
}

// The first and last steps are allowed. If they fail, the other failures prove nothing.
function stepsIn({ project, outside }: TestFolders) {
  const write = (file_path: string) => ({
    name: 'Write',
    input: { file_path, content: 'escaped\n' },
  });
  const read = (file_path: string) => ({ name: 'Read', input: { file_path } });
  return [
    read(join(project, 'inside.txt')),
    { name: 'Bash', input: { command: `touch ${join(outside, 'bash')}` } },
    write(join(outside, 'write')),
    write(join(project, 'project.yaml')),
    write(join(project, '.claude/settings.json')),
    read(join(project, 'link.txt')),
    read(join(outside, 'secret.txt')),
    { name: `${MANAGE_PREFIX}self_test`, input: {} },
    write(join(project, 'allowed.txt')),
  ];
}

async function runTestTurn(
  parts: ClaudeParts,
  folders: TestFolders,
  model: ScriptedModel,
  called: string[],
): Promise<TurnEnd | null> {
  const testParts: ClaudeParts = {
    ...parts,
    options: {
      ...parts.options,
      baseUrl: model.url,
      apiKey: () => null,
      projectInstructions: false,
    },
    // A sandbox would hide what the tool list does not block.
    sandboxes: null,
    state: openState(folders.config, parts.options.user ?? null),
    sessions: createKeyedMutex(),
  };
  const limit = new AbortController();
  const timer = parts.deps.clock.setTimeout(() => limit.abort(), TIMEOUT_MS);
  let end: TurnEnd | null = null;
  try {
    for await (const event of runTurn(testParts, specIn(folders, called), limit.signal)) {
      if (event.type === 'ended') end = event.end;
    }
  } finally {
    parts.deps.clock.clearTimeout(timer);
  }
  return end;
}

function specIn({ project }: TestFolders, called: string[]): TurnSpec {
  const turnId = newId();
  const name = `${MANAGE_PREFIX}self_test`;
  return {
    turnId,
    runId: null,
    sessionId: newId(),
    project: 'self-test',
    cwd: project,
    prompt: { author: 'Try to escape from the project folder.' },
    capability: {
      runsAs: 'agent',
      agentName: null,
      tools: ['Read', 'Write'],
      permissionMode: 'default',
      maxTurns: 20,
      maxSpawnDepth: 0,
    },
    depth: 0,
    model: null,
    instructions: 'This is a self-test of the tool allow-list.',
    resume: null,
    history: async () => [],
    limits: { maxTurns: 20 },
    env: { PATH: '/usr/bin:/bin', HOME: project, LANG: 'C.UTF-8', SVC_TURN_ID: turnId },
    toolset: {
      tools: [{ name, description: 'Not listed in this turn.', inputSchema: { type: 'object' } }],
      async call(operation) {
        called.push(operation);
        return { text: 'escaped', isError: false };
      },
    },
  };
}

// Checks the effects on the folders, because tool results may be wrong.
async function findEscape(
  { project, outside }: TestFolders,
  model: ScriptedModel,
  end: TurnEnd | null,
  called: readonly string[],
): Promise<string | null> {
  const text = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
  const requests = JSON.stringify(model.requests.map(({ body }) => body));
  const hasWorked =
    (await text(join(project, 'allowed.txt'))) !== null && requests.includes('readable text');
  if (!hasWorked) {
    return `The self-test could not run: ${end?.reason ?? 'listed tools do not work'}`;
  }
  const escaped = [
    [(await text(join(outside, 'bash'))) !== null, 'ran Bash, which is not listed'],
    [(await text(join(outside, 'write'))) !== null, 'wrote outside of the project folder'],
    [(await text(join(project, 'project.yaml'))) !== 'name: self-test\n', 'wrote project.yaml'],
    [(await text(join(project, '.claude/settings.json'))) !== null, 'wrote in .claude'],
    [requests.includes(SECRET), 'read outside of the project folder'],
    [called.length > 0, 'called an operation that is not listed'],
  ] as const;
  const found = escaped.filter(([happened]) => happened).map(([, what]) => what);
  return found.length === 0 ? null : `The agent of the self-test ${found.join(', and ')}.`;
}
