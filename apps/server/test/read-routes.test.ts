import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Message, Run } from '@svc/records';
import { type OpenHome, openHome, type Running, until } from './harness.ts';

jest.setTimeout(60_000);

const bash = (command: string): string => `\`\`\`bash\n${command}\n\`\`\`\n`;
const DAILY = { type: 'schedule', cron: '0 3 * * *', timezone: 'UTC' };

let home: OpenHome;
let server: Running;

beforeAll(async () => {
  home = openHome();
  home.write('projects/alpha/project.yaml', 'name: Alpha\n');
  server = await home.serve({ TZ: 'Asia/Kathmandu' });
});
afterAll(() => home.close());

const route = (rest: string, slug = 'alpha'): string => `/api/projects/${slug}${rest}`;

async function get<T = Record<string, unknown>>(path: string): Promise<T> {
  const { status, body } = await server.get(path);
  expect([path, status]).toEqual([path, 200]);
  return body as T;
}

async function put(name: string, record: object, slug = 'alpha'): Promise<void> {
  const { status, body } = await server.send('PUT', route(`/triggers/${name}`, slug), record);
  expect([status, body]).toEqual([200, expect.any(Object)]);
}

/** Runs a trigger now and returns its run once it has ended. */
async function fired(name: string, slug = 'alpha'): Promise<Run> {
  const { body } = await server.send('POST', route(`/triggers/${name}/run`, slug));
  const { runId } = body as { runId: string };
  return until(async () => {
    const run = await get<Run>(route(`/runs/${runId}`, slug));
    return run.state === 'ended' && run;
  });
}

describe('a chat with several runs', () => {
  // proves: reads.run.turn, reads.chat.after
  it('is divided into runs by the turn ids of its messages, and can be read from a message on', async () => {
    const run = { prompt: bash('echo hello'), session: 'resume', tools: ['Bash'] };
    await put('again', { trigger: DAILY, run });
    const first = await fired('again');
    const chat = route(`/chats/${first.sessionId}`);
    const before = await get<{ messages: Message[] }>(chat);
    const seen = before.messages.at(-1)?.seq ?? 0;
    const second = await fired('again');
    expect(second.sessionId).toBe(first.sessionId);
    expect(second.turnId).not.toBe(first.turnId);
    const after = await get<{ messages: Message[]; next: string | null }>(`${chat}?after=${seen}`);
    expect(new Set(before.messages.map(({ turnId }) => turnId))).toContain(first.turnId);
    expect(new Set(after.messages.map(({ turnId }) => turnId))).toEqual(new Set([second.turnId]));
    expect([after.messages[0]?.seq, after.next]).toEqual([seen + 1, null]);
    const one = await get<{ next: string | null }>(`${chat}?after=${seen}&limit=1`);
    expect(one.next).toBe(String(seen + 1));
    const { status } = await server.get(`${chat}?after=1&cursor=1`);
    expect(status).toBe(400);
  });
});

describe('the list of triggers', () => {
  // proves: reads.triggers.schedule, reads.triggers.recent, reads.triggers.etag
  it('contains the schedule, the newest runs and the tag of each trigger', async () => {
    home.write('projects/beta/project.yaml', 'name: Beta\n');
    const hook = { trigger: { type: 'event', on: 'onArchive' }, run: { prompt: 'x' } };
    await put('hook', hook, 'beta');
    await put('local', { trigger: { ...DAILY, timezone: null }, run: { prompt: 'x' } }, 'beta');
    const run = await fired('local', 'beta');
    const { triggers } = await get<{ triggers: Record<string, unknown>[] }>(
      route('/triggers', 'beta'),
    );
    expect(triggers).toMatchObject([
      { name: 'hook', schedule: null, recentRuns: [] },
      {
        name: 'local',
        schedule: { timezone: expect.stringMatching(/^Asia\/Kath?mandu$/), firesPerDay: 1 },
        recentRuns: [
          {
            id: run.id,
            state: 'ended',
            outcome: run.outcome,
            reason: run.reason,
            at: run.claimedAt,
          },
        ],
      },
    ]);
    for (const { name, etag } of triggers) {
      const { headers } = await server.get(route(`/triggers/${name}`, 'beta'));
      expect([name, etag]).toEqual([name, headers.get('etag')]);
    }
  });

  // proves: reads.upcoming.frequent
  it('shows rare triggers among frequent ones', async () => {
    home.write('projects/gamma/project.yaml', 'name: Gamma\n');
    const often = { type: 'schedule', interval: '30s' };
    await put('often', { trigger: often, run: { prompt: 'x' }, enabled: true }, 'gamma');
    await put('daily', { trigger: DAILY, run: { prompt: 'x' }, enabled: true }, 'gamma');
    const plan = await get<{ fires: { trigger: string }[] }>(route('/upcoming', 'gamma'));
    expect(plan).toEqual({
      fires: [{ trigger: 'daily', at: expect.any(String) }],
      frequent: [{ trigger: 'often', firesPerDay: 2880 }],
    });
  });
});

describe('the list of projects', () => {
  // proves: reads.projects.health
  it('counts the triggers of each project by state', async () => {
    home.write(
      'projects/delta/project.yaml',
      'name: Delta\nkeeper: { model: slow }\ntriggers: { bad: {} }\n',
    );
    const record = { trigger: DAILY, run: { prompt: bash('exit 1'), tools: ['Bash'] } };
    await put('breaks', { ...record, enabled: true }, 'delta');
    await fired('breaks', 'delta');
    const file = { promptFile: 'not-there.md' };
    await put('waits', { trigger: DAILY, run: file, enabled: true }, 'delta');
    const { projects } = await get<{ projects: { slug: string }[] }>('/api/projects');
    expect(projects.find(({ slug }) => slug === 'delta')).toMatchObject({
      name: 'Delta',
      keeper: { runtime: null, model: 'slow', permissionMode: null },
      triggerCount: 2,
      health: {
        ...{ failing: 1, invalid: 1, paused: 0, unready: 2, running: 0, missed24h: 0, armed: 2 },
        nextFire: expect.stringMatching(/T03:00:00.000Z$/),
      },
    });
  });
});

describe('a check of a trigger under a name', () => {
  // proves: reads.validate.edit
  it('shows what a PUT then writes', async () => {
    const file =
      '# Mine.\nname: Edit\ntriggers:\n  x: { trigger: { type: webhook }, run: { prompt: a } } # Why.\n';
    home.write('projects/edit/project.yaml', file);
    const record = { trigger: DAILY, run: { prompt: bash('echo 1') } };
    const path = route('/validate-trigger', 'edit');
    const { body } = await server.send('POST', `${path}?name=x`, record);
    const { edit } = body as { edit: { before: string; after: string; etag: string } };
    expect(home.read('projects/edit/project.yaml')).toBe(file);
    const { headers } = await server.get(route('/triggers/x', 'edit'));
    expect([edit.before, edit.etag]).toEqual([file, headers.get('etag')]);
    await put('x', record, 'edit');
    expect(home.read('projects/edit/project.yaml')).toBe(edit.after);
    const invalid = { ...record, trigger: { type: 'schedule', cron: '0 3 * *' } };
    const refused = await server.send('POST', `${path}?name=x`, invalid);
    expect(refused.body).toMatchObject({ valid: false, edit: null });
    const plain = await server.send('POST', path, record);
    expect(plain.body).toEqual({ valid: true, issues: [], warnings: [] });
  });
});

describe('prompt files', () => {
  beforeAll(() => {
    const entry = (file: string) =>
      `{ trigger: { type: schedule, cron: 0 3 * * * }, run: { promptFile: ${file} } }`;
    home.write(
      'projects/files/project.yaml',
      `triggers:\n  a: ${entry('report.md')}\n  b: ${entry('deep/er.md')}\n  c: ${entry('report.md')}\n` +
        'schedules:\n  old: { type: interval, interval: 1h, promptFile: report.md }\n',
    );
    home.write('projects/files/.svc/triggers/report.md', 'Report ünïted.');
    home.write('projects/files/.svc/triggers/deep/er.md', 'Deep.');
    home.write('projects/files/.svc/triggers/deep/100% & ü.md', 'Odd.');
    home.write('projects/files/.svc/triggers/empty.md', ' ');
    home.write('projects/files/.svc/triggers/notes.txt', 'No prompt.');
    home.write('projects/files/.svc/triggers/large.md', 'x'.repeat(256 * 1024 + 1));
    home.write('projects/files/.svc/schedules/report.md', 'Old.');
    home.write('outside/secret.md', 'SECRET');
    const folder = join(home.home, 'projects/files/.svc/triggers');
    symlinkSync(join(home.home, 'outside/secret.md'), join(folder, 'link.md'));
    symlinkSync(join(home.home, 'outside'), join(folder, 'out'));
    home.write('projects/linked/project.yaml', 'name: Linked\n');
    mkdirSync(join(home.home, 'projects/linked/.svc'));
    symlinkSync(join(home.home, 'outside'), join(home.home, 'projects/linked/.svc/triggers'));
  });

  // proves: reads.prompt-files
  it('are listed with sizes and triggers, and without links', async () => {
    const { promptFiles } = await get<{ promptFiles: object[] }>(route('/prompt-files', 'files'));
    const source = 'trigger';
    expect(promptFiles).toEqual([
      { source, name: 'deep/100% & ü.md', size: 4, usedBy: [] },
      { source, name: 'deep/er.md', size: 5, usedBy: ['b'] },
      { source, name: 'empty.md', size: 1, usedBy: [] },
      { source, name: 'large.md', size: 256 * 1024 + 1, usedBy: [] },
      { source, name: 'report.md', size: 16, usedBy: ['a', 'c'] },
      { source: 'schedule', name: 'report.md', size: 4, usedBy: ['old'] },
    ]);
    expect(await get(route('/prompt-files', 'linked'))).toEqual({ promptFiles: [] });
  });

  // proves: reads.prompt-files.one
  it.each([
    ['report.md', '', 'Report ünïted.'],
    ['deep/er.md', '', 'Deep.'],
    ['deep/100% & ü.md', '', 'Odd.'],
    ['report.md', '?source=schedule', 'Old.'],
  ])('%s%s is read', async (name, query, text) => {
    const path = route(`/prompt-files/${encodeURIComponent(name)}${query}`, 'files');
    expect(await get(path)).toMatchObject({ name, text });
  });

  // proves: reads.prompt-files.one
  it.each([
    ['files', 'unknown.md', /does not exist/],
    ['files', 'empty.md', /is empty/],
    ['files', 'large.md', /the limit is 262144/],
    ['files', 'link.md', /is a link/],
    ['files', 'out/secret.md', /leads out of its folder/],
    ['linked', 'secret.md', /leads out of its folder/],
    ['files', 'notes.txt', /must be named as a \.md file/],
    ['files', '../../project.yaml', /must be named/],
    ['files', '../schedules/report.md', /must be named/],
    ['files', '/etc/passwd.md', /must be named/],
    ['files', 'deep\\er.md', /must be named/],
    ['files', 'report.md\0.md', /must be named/],
  ])('of %s: %j is 404, with a reason', async (slug, name, why) => {
    const { status, body } = await server.get(
      route(`/prompt-files/${encodeURIComponent(name)}`, slug),
    );
    expect([status, body]).toEqual([404, { code: 'not_found', error: expect.stringMatching(why) }]);
    expect(JSON.stringify(body)).not.toContain('SECRET');
  });
});

// proves: reads.repo
it.each([
  ['https://ghp_1SECRET@git.example/x', 'https://git.example/x'],
  ['https://me:ghp_1SECRET@git.example/x?t=SECRET#SECRET', 'https://git.example/x'],
  ['HTTPS:me:SECRET@git.example/x', 'HTTPS://git.example/x'],
  ['ssh://git:SECRET@git.example/x', 'ssh://git@git.example/x'],
  ['git:SECRET@git.example:x', 'git@git.example:x'],
  ['ssh://git@git.example:22/x', 'ssh://git@git.example:22/x'],
  ['git@git.example:x/y', 'git@git.example:x/y'],
  ['https://git.example/a@b/c:d@e', 'https://git.example/a@b/c:d@e'],
  ['git.example:x', 'git.example:x'],
])('reports the repository address %j as %j', async (repo, shown) => {
  home.write('projects/cloned/project.yaml', `name: Cloned\nrepo: ${JSON.stringify(repo)}\n`);
  await until(async () => {
    const { projects } = await get<{ projects: { repo: string | null }[] }>('/api/projects');
    return projects.some((project) => project.repo === shown);
  });
  const one = await get(route('', 'cloned'));
  expect(one).toMatchObject({ repo: shown });
});

describe('the status', () => {
  // proves: reads.status, nodes.listed
  it('lists what runs now in all projects, until it has ended', async () => {
    home.write('projects/busy/project.yaml', 'name: Busy\n');
    const stays = bash('while [ ! -e stop ]; do sleep 0.05; done');
    await put('stays', { trigger: DAILY, run: { prompt: stays, tools: ['Bash'] } }, 'busy');
    const { body } = await server.send('POST', route('/triggers/stays/run', 'busy'));
    const { sessionId, runId } = body as { sessionId: string; runId: string };
    const made = await server.send('POST', route('/chats', 'busy'), {
      prompt: stays,
      name: 'Mine',
    });
    const chat = made.body as { sessionId: string };
    const running = await until(async () => {
      const status = await get<{ running: { project: string }[] }>('/api/status');
      const here = status.running.filter(({ project }) => project === 'busy');
      return here.length === 2 && here;
    });
    const run = await get<Run>(route(`/runs/${runId}`, 'busy'));
    const { nodes } = await get<{ nodes: { id: string }[] }>('/api/nodes');
    const { answeredBy } = await get<{ answeredBy: string }>('/api/status');
    expect(nodes).toEqual([
      {
        ...{ id: answeredBy, host: hostname(), version: expect.any(String), running: 2 },
        ...{ startedAt: expect.any(String), heartbeatAt: expect.any(String) },
      },
    ]);
    expect(running).toContainEqual({
      ...{ project: 'busy', trigger: 'stays', chat: expect.any(String) },
      ...{ sessionId, runId, turnId: run.turnId, startedAt: run.startedAt, node: nodes[0]?.id },
    });
    expect(running).toContainEqual({
      ...{ project: 'busy', trigger: null, chat: 'Mine', sessionId: chat.sessionId, runId: null },
      ...{ turnId: expect.any(String), startedAt: expect.any(String), node: answeredBy },
    });
    home.write('projects/busy/stop', '');
    await until(async () => {
      const status = await get<{ running: { project: string }[] }>('/api/status');
      return status.running.every(({ project }) => project !== 'busy');
    });
  });
});

describe('the settings', () => {
  const SECRETS = {
    CI_TOKEN: 'tok_here_0123456789abcdef0123456789abcdef',
    MODEL_KEY: 'sk-0123456789abcdef',
    FILE_TOKEN: 'tok_here_fedcba9876543210fedcba9876543210',
  };
  let other: OpenHome;
  let settings: Record<string, unknown>;
  let text: string;
  beforeAll(async () => {
    other = openHome();
    other.write('tokens.env', `FILE_TOKEN=${SECRETS.FILE_TOKEN}\n`);
    execFileSync('chmod', ['600', join(other.home, 'tokens.env')]);
    other.write(
      'svc.config.yaml',
      `limits: { turnTimeout: 90m, bytesPerTurn: 500MiB }
curator: { delay: 90s }
agents: { env: [MODEL_KEY, "LEAK=${SECRETS.MODEL_KEY}"] }
envFile: tokens.env
managementApi:
  instanceId: here
  publicUrl: http://127.0.0.1
  clients:
    ci: { auth: { ref: env:CI_TOKEN }, scope: { projects: [alpha], allow: [list_*, run_trigger] } }
    file: { auth: { ref: env:FILE_TOKEN } }
    wrong: { auth: { token: literal-secret-0123456789 } }
    unset: { auth: { ref: env:UNSET } }
`,
    );
    const { CI_TOKEN, MODEL_KEY } = SECRETS;
    const env = { CI_TOKEN, MODEL_KEY, SVC_MAX_SPAWN_DEPTH: '3' };
    const served = await other.serve(env, '--log-level', 'info', '--host', '127.0.0.1');
    const { body } = await served.get('/api/settings');
    settings = body as Record<string, unknown>;
    text = JSON.stringify(body);
  });
  afterAll(() => other.close());

  // proves: reads.settings
  it('are shown with their sources', () => {
    expect(settings['settings']).toMatchObject({
      'limits.turnTimeout': { value: '90m', source: 'file' },
      'limits.bytesPerTurn': { value: '500MiB', source: 'file' },
      'limits.minInterval': { value: '1s', source: 'default' },
      'curator.delay': { value: '90s', source: 'file' },
      maxSpawnDepth: { value: 3, source: 'environment' },
      'server.port': { value: 0, source: 'flag' },
      'auth.mode': { value: 'unset', source: 'default' },
      'agents.env': { value: ['MODEL_KEY', '(hidden)'], source: 'file' },
    });
    const all = { deny: [], denyProjects: [], maxSpawnDepth: null };
    expect(settings['clients']).toEqual([
      { clientId: 'ci', scope: { ...all, projects: ['alpha'], allow: ['list_*', 'run_trigger'] } },
      { clientId: 'file', scope: { ...all, projects: ['*'], allow: ['list_*', 'read_chat'] } },
    ]);
    expect(settings['runtimes']).toEqual([
      {
        id: 'native',
        isDefault: true,
        ready: true,
        reason: null,
        holds: expect.objectContaining({ toolAllowList: 'enforced', maxTurns: 'exact' }),
        // The curator is tried after the start.
        fence: { verdict: expect.stringMatching(/^(untested|holds)$/), reason: null },
      },
      {
        id: 'claude',
        isDefault: false,
        ready: false,
        reason: expect.stringContaining('has no API key'),
        holds: expect.objectContaining({ toolAllowList: 'enforced', maxTurns: 'exact' }),
        fence: { verdict: 'untested', reason: null },
      },
    ]);
  });

  // proves: reads.settings.secrets
  it('contain no secret, no value of a variable and no unsupported setting', () => {
    const hidden = [...Object.values(SECRETS), 'literal-secret', 'CI_TOKEN', 'FILE_TOKEN', 'LEAK'];
    expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
    for (const secret of Object.values(SECRETS)) {
      const digest = createHash('sha256').update(secret).digest();
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        expect(text).not.toContain(digest.toString(form));
      }
    }
    const known = Object.keys(settings['settings'] as object);
    expect(known.filter((key) => /managementApi|envFile|tokenRef|jwt|notify/.test(key))).toEqual(
      [],
    );
  });
});
