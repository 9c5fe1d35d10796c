import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Run } from '@svc/records';
import { parseProject } from '@svc/trigger-schema';
import { fire, runsOf } from '../test/agents.ts';
import { type Running, until } from '../test/harness.ts';
import { callTool, openWire } from '../test/wire.ts';
import { ANY_SECRET, type Results, stableFiles } from './sandbox-fence-files.ts';
import { type FenceWorld, openFenceWorld, RUNTIMES, TOKEN } from './sandbox-fence-world.ts';

jest.setTimeout(120_000);

// Harmless outside of a sandbox, where they succeed.
const GROUPS = ['reads', 'writes', 'network'];
const bash = (command: string) => ({
  ...{ prompt: `\`\`\`bash\n${command}\n\`\`\`\n`, model: 'playbook', tools: ['Bash'] },
});
const FILL =
  'const all = []; for (let n = 0; n < 256; n += 1) all.push(Buffer.alloc(16 << 20, 1));';
const MORE = {
  saving: bash('bash attacks/save.sh'),
  edited: { prompt: 'first', tools: [] },
  bomb: bash('bomb() { bomb | bomb & }; bomb; exec sleep 60'),
  hog: bash(`node -e '${FILL}'`),
};

let world: FenceWorld;

beforeAll(async () => {
  world = await openFenceWorld({ mode: 'required', groups: [...GROUPS, 'system'], more: MORE });
});

afterAll(() => world?.close());

const victimRuns = async (server: Running): Promise<readonly Run[]> =>
  (await runsOf(server)).filter(({ trigger }) => trigger === 'victim');

describe('this machine', () => {
  it('runs sandboxes', async () => {
    expect((await world.server.get('/api/status')).body).toMatchObject({ sandboxLack: null });
  });
});

describe('an attack without a sandbox', () => {
  // Attempts that succeed nowhere would find no hole.
  it('succeeds', async () => {
    const open = await openFenceWorld({ mode: 'off', groups: GROUPS });
    try {
      const before = stableFiles(open.home);
      const [run, { succeeded, output }] = await open.attack('playbook');
      expect(run).toMatchObject({ outcome: 'succeeded', sandbox: 'none' });
      // Other addresses differ by machine, and what is written outside is looked for below.
      const isOther = (name: string): boolean =>
        /^network-(?!.*127\.0\.0\.1|.*socket)/.test(name) ||
        /^(?:network|end|succeeded|outside.*|other-project-new|ssh-keys)$/.test(name);
      const failed = Object.keys(output).filter((name) => !succeeded.includes(name));
      expect(failed.filter((name) => !isOther(name))).toEqual([]);
      expect([...new Set(open.reached)].sort()).toEqual(['file', 'name', 'tcp', 'udp']);
      const after = stableFiles(open.home);
      const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
      expect(changed).toEqual(
        expect.arrayContaining(['outside.txt', 'new.txt', 'projects/other/new.md']),
      );
      await until(async () => (await victimRuns(open.server)).length > 0);
    } finally {
      await open.close();
    }
  });
});

describe.each(RUNTIMES)('an attack of an agent of the runtime %s', (runtime) => {
  let run: Run;
  let results: Results;
  let left: readonly string[];
  let before: ReturnType<typeof stableFiles>;

  beforeAll(async () => {
    before = stableFiles(world.home);
    [run, results] = await world.attack(runtime);
    left = world.left();
  });

  const succeeded = (group: RegExp): readonly string[] =>
    results.succeeded.filter((name) => group.test(name));

  it('makes all attempts, in a sandbox', () => {
    expect(run).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
    expect(Object.keys(results.output)).toEqual(
      expect.arrayContaining(['environ', 'ssh-keys', 'network', 'sysrq', 'keyring', 'end']),
    );
    expect(succeeded(/^(?!keyring)/)).toEqual([]);
  });

  it('reads no secret', () => {
    const { secret } = JSON.parse(world.home.read('data/instance.json')) as { secret: string };
    const others = Object.entries(results.output).filter(([name]) => !/^keyring/.test(name));
    const all = others.map(([, text]) => text).join('\n');
    expect([...new Set(all.match(ANY_SECRET))]).toEqual([]);
    expect(all).not.toContain(secret);
  });

  it('reads no key of the service, and leaves none for other turns', () => {
    expect(succeeded(/^keyring/)).toEqual([]);
  });

  it('changes nothing outside of what it may change', () => {
    expect(stableFiles(world.home)).toEqual(before);
    expect(['/usr/svc-fence', '/etc/svc-fence'].filter((path) => existsSync(path))).toEqual([]);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(world.home.home);
  });

  it('reaches neither the service nor another listener, and each refusal is recorded', async () => {
    expect(world.reached).toEqual([]);
    expect(await victimRuns(world.server)).toEqual([]);
    const port = Number(new URL(world.server.url).port);
    expect(run.network).toMatchObject({
      reached: [],
      refused: expect.arrayContaining([
        expect.objectContaining({ host: 'localhost', port }),
        expect.objectContaining({ host: '127.0.0.1', port }),
        expect.objectContaining({ host: '169.254.169.254', port: 80 }),
      ]),
    });
  });

  it('leaves no process, and touches no other', async () => {
    expect(results.output['left-running']).toMatch(/^\/proc\/\d+\/cmdline$/m);
    expect(left).toEqual([]);
    expect(world.victim()).toContain('TracerPid:\t0\n');
    expect((await world.server.get('/api/status')).status).toBe(200);
  });
});

describe('a turn that attacks project.yaml', () => {
  it('changes nothing while a person and a client edit a trigger', async () => {
    const { home, server } = world;
    const file = 'projects/demo/project.yaml';
    const outside = home.read('outside.txt');
    const running = fire(server, 'saving');
    await until(async () => existsSync(join(home.home, 'projects/demo/started-2')));
    const wire = openWire(server.url);
    const address = '/api/projects/demo/triggers/edited';
    for (let round = 1; round <= 6; round += 1) {
      const { body } = await server.get(address);
      const { trigger, policy } = body as { trigger: object; policy: object };
      const edited = { prompt: `put ${round}`, tools: [] };
      const put = { trigger, run: edited, policy, enabled: false };
      expect((await server.send('PUT', address, put)).status).toBe(200);
      expect(home.read(file)).toContain(`put ${round}`);
      const set = { project: 'demo', name: 'edited', prompt: `set ${round}` };
      const { isError = false } = await callTool(wire, TOKEN, 'set_trigger', set);
      expect(isError).toBe(false);
      expect(home.read(file)).toContain(`set ${round}`);
    }
    wire.end();
    const written = home.read(file);
    expect(written).not.toContain('evil');
    expect(parseProject(written).ok).toBe(true);
    home.write('projects/demo/stop', '');
    expect(await running).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
    expect(home.read(file)).toBe(written);
    expect(home.read('outside.txt')).toBe(outside);
  });
});

describe('a turn that takes all it can get', () => {
  it.each([
    ['bomb', 'processes and threads; the limit is 512 (agents.sandbox.processes)'],
    ['hog', 'MiB of memory; the limit is 2048 MiB (agents.sandbox.memory)'],
  ])('fails with the reason, and the service continues: %s', async (trigger, reason) => {
    const { server } = world;
    expect(await fire(server, trigger)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining(reason),
    });
    expect((await server.get('/api/status')).status).toBe(200);
    expect(await fire(server, 'victim')).toMatchObject({ outcome: 'succeeded' });
  });
});
