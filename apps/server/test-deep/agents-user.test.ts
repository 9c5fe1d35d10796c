import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Chat, Message, Run } from '@svc/records';
import { isRunning, type Running, type TestHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const NOBODY_UID = 65_534;

// Whether these tests may switch users on this machine, and the other user may run this Node.
const SETPRIV = 'setpriv';
const switched = spawnSync(
  SETPRIV,
  [
    `--reuid=${NOBODY_UID}`,
    `--regid=${NOBODY_UID}`,
    '--clear-groups',
    process.execPath,
    '--version',
  ],
  { cwd: '/' },
);
const maySwitch = process.getuid?.() === 0 && switched.status === 0;

const bash = (command: string) => `\`\`\`bash\n${command}\n\`\`\`\n\n`;
const tool = (name: string, input: unknown) =>
  `\`\`\`tool ${name}\n${JSON.stringify(input)}\n\`\`\`\n\n`;
const write = (path: string, text: string) => `~~~write ${path}\n${text}\n~~~\n\n`;

const TOOLS = '[Read, Glob, Grep, Edit, Write, NotebookEdit, Bash, Task]';

/** Creates a project with a trigger that runs these steps; its folder belongs to the user of agents. */
function project(home: TestHome, slug: string, steps: string): string {
  const folder = join(home.home, 'projects', slug);
  home.write(
    `projects/${slug}/project.yaml`,
    `triggers:\n  it:\n    trigger: { type: schedule, interval: 1h }\n    run: { promptFile: it.md, tools: ${TOOLS} }\n    enabled: false\n`,
  );
  home.write(`projects/${slug}/.svc/triggers/it.md`, steps);
  chownSync(folder, NOBODY_UID, NOBODY_UID);
  return folder;
}

/** Starts the service with agents with a user of their own, in a home that others may enter. */
function serve(home: TestHome, more = ''): Promise<Running> {
  chmodSync(home.home, 0o755);
  home.write('svc.config.yaml', `agents: { user: nobody, sandbox: { mode: off } }\n${more}`);
  return home.serve({ SVC_TOKEN_X: 'only-the-service-knows' });
}

async function fire(server: Running, slug: string): Promise<string> {
  const { body } = await server.send('POST', `/api/projects/${slug}/triggers/it/run`);
  return (body as { runId: string }).runId;
}

const ended = (server: Running, slug: string, runId: string): Promise<Run> =>
  until(async () => {
    const { body } = await server.get(`/api/projects/${slug}/runs/${runId}`);
    return (body as Run).state === 'ended' ? (body as Run) : null;
  });

async function resultsOf(server: Running, run: Run): Promise<string[]> {
  const { body } = await server.get(`/api/projects/${run.project}/chats/${run.sessionId}`);
  const { messages } = body as Chat & { messages: Message[] };
  return messages.filter(({ kind }) => kind === 'tool_result').map(({ text }) => text);
}

const pidIn = (home: TestHome, path: string): Promise<number> =>
  until(async () => Number(home.tryRead(path)) || null);

/** Owners of the processes that have a mark in their environment, by command. */
function ownersOf(mark: string): [command: string, uid: number][] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid): [string, number][] => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark)) return [];
      const command = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      return [[command, statSync(`/proc/${pid}`).uid]];
    } catch {
      return [];
    }
  });
}

const EVERY_TOOL = [
  bash(
    'id -u; id -G; echo $HOME; grep -E "NoNewPrivs|CapPrm|CapBnd" /proc/self/status; echo x > by-bash',
  ),
  write('made/by-write.md', 'one two'),
  write('made/edited.md', 'one two'),
  tool('Edit', { file_path: 'made/edited.md', old_string: 'two', new_string: 'three' }),
  tool('Read', { file_path: 'made/edited.md' }),
  tool('Glob', { pattern: 'made/*' }),
  tool('Grep', { pattern: 'three', path: 'made', output_mode: 'content' }),
  tool('Task', { prompt: `${bash('id -u > by-child')}${write('by-child-write', 'x')}` }),
  bash('setsid sleep 300 & echo $! > background; while ! [ -e go ]; do sleep 0.05; done'),
].join('');

const asRoot = () => {
  // Groups of svc that agents must not be in.
  const groups = process.getgroups?.() ?? [];
  beforeAll(() => process.setgroups?.([0, 4]));
  afterAll(() => process.setgroups?.(groups));

  it('runs everything of a turn as that user, without a way to gain privileges, and ends it with the turn', () =>
    withHome(async (home) => {
      const folder = project(home, 'demo', EVERY_TOOL);
      const server = await serve(home);
      expect(server.lines).toContainEqual(
        expect.objectContaining({ user: 'nobody', msg: 'agents run as a separate user' }),
      );
      const runId = await fire(server, 'demo');
      const background = await pidIn(home, 'projects/demo/background');
      const owners = ownersOf(`SVC_RUN_ID=${runId}`);
      expect(new Set(owners.map(([, uid]) => uid))).toEqual(new Set([NOBODY_UID]));
      const commands = owners.map(([command]) => command);
      expect(commands).toEqual(expect.arrayContaining(['bash', 'sleep', 'node']));
      home.write('projects/demo/go', '');
      const run = await ended(server, 'demo', runId);
      expect(run).toMatchObject({ outcome: 'succeeded', reason: null });
      expect(isRunning(background)).toBe(false);
      expect(ownersOf(`SVC_RUN_ID=${runId}`)).toEqual([]);
      const [who, , , , read, glob, grep] = await resultsOf(server, run);
      const none = '0000000000000000';
      expect(who?.replace(/\t/g, '')).toBe(
        `65534\n65534\n/nonexistent\nCapPrm:${none}\nCapBnd:${none}\nNoNewPrivs:1\n`,
      );
      expect(read).toBe('one three\n');
      expect(glob).toBe('made/by-write.md\nmade/edited.md');
      expect(grep).toBe('made/edited.md:1:one three');
      for (const path of [
        'by-bash',
        'made',
        'made/by-write.md',
        'made/edited.md',
        'by-child-write',
      ]) {
        const { uid, gid } = statSync(join(folder, path));
        expect([path, uid, gid]).toEqual([path, NOBODY_UID, NOBODY_UID]);
      }
      expect(home.read('projects/demo/by-child')).toBe('65534\n');
    }));

  it('hides the files of the service from that user', () =>
    withHome(async (home) => {
      home.write('secrets.env', 'SVC_TOKEN_Y=in-the-env-file\n');
      chmodSync(join(home.home, 'secrets.env'), 0o600);
      const files = ['secrets.env', 'data/instance.json', 'data/svc.db', 'data'];
      const paths = files.map((file) => join(home.home, file));
      const look = bash(
        `for f in ${paths.join(' ')} /proc/$(cat service)/environ /proc/$(cat service)/cwd/; do ls $f/ || cat $f; done 2>&1; true`,
      );
      project(home, 'demo', look);
      const server = await serve(home, 'envFile: secrets.env\n');
      home.write('projects/demo/service', String(server.process.pid));
      const [seen = ''] = await resultsOf(
        server,
        await ended(server, 'demo', await fire(server, 'demo')),
      );
      const open = seen
        .split('\n')
        .filter((line) => !/^$|denied|Not a directory|cannot access/.test(line));
      expect(open).toEqual([]);
      expect(seen.match(/ermission denied/g)?.length).toBeGreaterThanOrEqual(6);
    }));

  // proves: deploy.unit.agents-user
  it('works with the capabilities of its unit, and names a missing one', () =>
    withHome(async (home) => {
      project(home, 'demo', bash('id -u'));
      chmodSync(home.home, 0o755);
      home.write('svc.config.yaml', 'agents: { user: nobody, sandbox: { mode: off } }\n');
      const unit = new URL('../../../deploy/systemd/', import.meta.url);
      const read = (file: string): string => readFileSync(new URL(file, unit), 'utf8');
      const [, named = ''] = /^CapabilityBoundingSet=(.+)$/m.exec(read('agents-user.conf')) ?? [];
      const [, umask = ''] = /^UMask=(.+)$/m.exec(read('svc.service')) ?? [];
      const within = (capabilities: readonly string[]): readonly string[] => [
        ...[SETPRIV, `--bounding-set=${['-all', ...capabilities].join(',')}`, '--inh-caps=-all'],
        ...['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'],
      ];
      const all = named.split(' ').map((name) => `+${name.replace('CAP_', '').toLowerCase()}`);
      const server = await home.serveThrough(within(all));
      const run = await ended(server, 'demo', await fire(server, 'demo'));
      expect(run).toMatchObject({ outcome: 'succeeded', reason: null });
      expect(await resultsOf(server, run)).toEqual([`${NOBODY_UID}\n`]);
      await server.stop();
      const fewer = all.filter((name) => name !== '+chown');
      await expect(home.serveThrough(within(fewer))).rejects.toThrow(/Give svc CAP_CHOWN\.$/m);
    }));

  it.each([
    [
      'Bash in a folder that it may not enter',
      0o700,
      bash('true'),
      /^Step 1 \(Bash\) failed: exit code 126: The user nobody \(agents\.user\) cannot enter the project folder\. /,
    ],
    [
      'Read in a folder that it may not enter',
      0o700,
      tool('Read', { file_path: 'project.yaml' }),
      /^Step 1 \(Read\) failed: The user nobody \(agents\.user\) cannot enter the project folder\. /,
    ],
    [
      'Write in a folder that it may only read',
      0o755,
      write('sub/new.md', 'x'),
      /^Step 1 \(Write\) failed: sub\/new\.md: permission denied\.$/,
    ],
  ])('fails %s with a sentence', (_, mode, steps, reason) =>
    withHome(async (home) => {
      const folder = project(home, 'demo', steps);
      chownSync(folder, 0, 0);
      chmodSync(folder, mode);
      const server = await serve(home);
      const run = await ended(server, 'demo', await fire(server, 'demo'));
      expect(run.reason).toMatch(reason);
      expect(run.outcome).toBe('failed');
    }),
  );

  const LEFT = `${write('a.md', 'x')}${bash('(setsid bash -c \'trap "" TERM; echo $$ > daemon; while true; do sleep 0.1; done\' &); echo $$ > shell; sleep 300')}`;

  it('leaves no process of that user behind when the service is stopped immediately', () =>
    withHome(async (home) => {
      project(home, 'demo', LEFT);
      const server = await serve(home, 'server: { drainTimeout: 1s }\n');
      const runId = await fire(server, 'demo');
      const pids = [
        await pidIn(home, 'projects/demo/daemon'),
        await pidIn(home, 'projects/demo/shell'),
      ];
      expect(pids.map(isRunning)).toEqual([true, true]);
      expect(await server.stop()).toBe(0);
      expect(ownersOf(`SVC_RUN_ID=${runId}`)).toEqual([]);
      expect(pids.map(isRunning)).toEqual([false, false]);
    }));

  it('ends leftover processes of that user at the next start after a kill', () =>
    withHome(async (home) => {
      project(home, 'demo', LEFT);
      const server = await serve(home);
      const runId = await fire(server, 'demo');
      const pids = [
        await pidIn(home, 'projects/demo/daemon'),
        await pidIn(home, 'projects/demo/shell'),
      ];
      await server.stop('SIGKILL');
      expect(pids.map(isRunning)).toEqual([true, true]);
      const second = await serve(home);
      expect((await ended(second, 'demo', runId)).outcome).toBe('interrupted');
      expect(ownersOf(`SVC_RUN_ID=${runId}`)).toEqual([]);
      expect(pids.map(isRunning)).toEqual([false, false]);
    }));
};

const asAnyone = () => {
  it('is refused with the reason', () =>
    withHome(async (home) => {
      mkdirSync(join(home.home, 'projects'));
      home.write('svc.config.yaml', 'agents: { user: nobody, sandbox: { mode: off } }\n');
      const { code, error } = await home.run('serve', '--port', '0');
      expect(error).toMatch(/^svc: agents\.user is nobody, /);
      expect(code).toBe(1);
    }));
};

if (maySwitch) describe('a user of their own for agents, when svc is root', asRoot);
else
  describe('a user of their own for agents, when svc may not run Node as another user', asAnyone);
