// @ts-check Compares a four-step playbook turn with the same work done directly, and, if run by root, as the separate
// user nobody. Needs a build; run with node.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createNativeRuntime,
  createPlaybook,
  createProcessReaper,
  resolveAgentUser,
} from '@svc/agent-runtime';
import { createSystemClock, newId, silentLogger } from '@svc/core';

const ROUNDS = 60;
const run = promisify(execFile);
const clock = createSystemClock();
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' };

const write = (name) => `\`\`\`write ${name}\nLine of ${name}\n\`\`\`\n`;
const files = ['a.md', 'b.md', 'c.md'];
const read = '```tool Read\n{ "file_path": "a.md" }\n```\n';
const bash = '```bash\ntrue\n```\n';

const deps = {
  clock,
  logger: silentLogger,
  model: createPlaybook(),
  reaper: createProcessReaper({ clock, logger: silentLogger }),
  detectRuntimes: async () => [],
  operations: {},
};
const runtime = createNativeRuntime(deps);

// A bundled file helper can be named as argument; else the other user has to be able to read this repository.
const [bundled] = process.argv.slice(2);
const parts = import.meta.resolve('@svc/agent-runtime/file-helper');
const fileHelper =
  bundled === undefined ? `import ${JSON.stringify(parts)};` : await readFile(bundled, 'utf8');
const nobodyUser = await resolveAgentUser(deps, { user: 'nobody', fileHelper });
const asNobody = nobodyUser.ok ? createNativeRuntime(deps, { user: nobodyUser.value }) : null;
// Every user may create files in it.
await chmod(folder, 0o777);

/**
 * @param {string} prompt
 * @param {import('@svc/agent-runtime').Runtime} [by]
 */
async function turn(prompt, by = runtime) {
  const turnId = newId();
  const spec = {
    turnId,
    runId: null,
    sessionId: newId(),
    project: 'bench',
    cwd: folder,
    prompt: { author: prompt },
    capability: {
      runsAs: /** @type {const} */ ('agent'),
      agentName: null,
      tools: ['Read', 'Write', 'Bash'],
      permissionMode: /** @type {const} */ ('default'),
      maxTurns: 30,
      maxSpawnDepth: 0,
    },
    depth: 0,
    model: null,
    instructions: '',
    resume: null,
    history: async () => [],
    limits: { maxTurns: 30 },
    env: { ...env, SVC_TURN_ID: turnId },
    toolset: null,
  };
  for await (const event of by.start(spec, new AbortController().signal)) {
    if (event.type === 'ended' && event.end.outcome !== 'succeeded') {
      throw new Error(`${event.end.outcome}: ${event.end.reason}`);
    }
  }
}

const direct = {
  write: (name) => writeFile(join(folder, name), `Line of ${name}\n`),
  read: () => readFile(join(folder, 'a.md'), 'utf8'),
  bash: () => run('/bin/bash', ['-c', 'true'], { cwd: folder, env }),
};

/** @param {() => Promise<unknown>} work */
async function median(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = clock.mono();
    await work();
    times.push(clock.mono() - from);
  }
  times.sort((a, b) => a - b);
  return times[ROUNDS / 2] ?? 0;
}

const three = files.map(write).join('\n') + read;
const two = files.slice(0, 2).map(write).join('\n') + read + bash;
const cases = [
  {
    name: 'write, write, write, read',
    prompt: three,
    direct: async () => {
      for (const name of files) await direct.write(name);
      await direct.read();
    },
  },
  {
    name: 'write, write, read, bash true',
    prompt: two,
    direct: async () => {
      for (const name of files.slice(0, 2)) await direct.write(name);
      await direct.read();
      await direct.bash();
    },
  },
];

const lines = ['case | direct ms | turn ms | overhead ms | ratio | turn as nobody ms'];
for (const { name, prompt, direct: bare } of cases) {
  const other = () => (asNobody === null ? Promise.resolve() : turn(prompt, asNobody));
  const works = [bare, () => turn(prompt), other];
  for (const work of works) await median(work);
  const [a = 0, b = 0, c = 0] = [
    await median(bare),
    await median(() => turn(prompt)),
    await median(other),
  ];
  const switched = nobodyUser.ok ? c.toFixed(2) : nobodyUser.error;
  lines.push(
    [name, a.toFixed(2), b.toFixed(2), (b - a).toFixed(2), (b / a).toFixed(1), switched].join(
      ' | ',
    ),
  );
}
process.stdout.write(`${lines.join('\n')}\n`);
await rm(folder, { recursive: true, force: true });
