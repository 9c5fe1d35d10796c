// @ts-check
// What a four-step playbook turn costs beside the same work done directly. Needs a build; run with node.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createNativeRuntime, createPlaybook, createProcessReaper } from '@svc/agent-runtime';
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

const runtime = createNativeRuntime({
  clock,
  logger: silentLogger,
  model: createPlaybook(),
  reaper: createProcessReaper({ clock, logger: silentLogger }),
  detectRuntimes: async () => [],
});

/** @param {string} prompt */
async function turn(prompt) {
  const turnId = newId();
  const spec = {
    turnId,
    runId: null,
    sessionId: newId(),
    project: 'bench',
    resume: null,
    cwd: folder,
    prompt: { author: prompt, data: null },
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
    limits: { maxTurns: 30 },
    env: { ...env, SVC_TURN_ID: turnId },
    toolset: null,
  };
  for await (const event of runtime.start(spec, new AbortController().signal)) {
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

const cases = [
  {
    name: 'write, write, write, read',
    turn: () => turn(files.map(write).join('\n') + read),
    direct: async () => {
      for (const name of files) await direct.write(name);
      await direct.read();
    },
  },
  {
    name: 'write, write, read, bash true',
    turn: () => turn(files.slice(0, 2).map(write).join('\n') + read + bash),
    direct: async () => {
      for (const name of files.slice(0, 2)) await direct.write(name);
      await direct.read();
      await direct.bash();
    },
  },
];

const lines = ['case | direct ms | turn ms | overhead ms | ratio'];
for (const { name, turn: through, direct: bare } of cases) {
  await median(bare);
  await median(through);
  const [a, b] = [await median(bare), await median(through)];
  lines.push(
    [name, a.toFixed(2), b.toFixed(2), (b - a).toFixed(2), (b / a).toFixed(1)].join(' | '),
  );
}
process.stdout.write(`${lines.join('\n')}\n`);
await rm(folder, { recursive: true, force: true });
