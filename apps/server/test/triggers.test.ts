import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Capability, Chat, Message, Run } from '@svc/records';
import { type OpenHome, openHome, type Running, until } from './harness.ts';

jest.setTimeout(60_000);

const DAILY = { type: 'schedule', cron: '0 3 * * *' };
const HOURLY = { type: 'schedule', interval: '1h' };
const HOOK = { type: 'event', on: 'onArchive' };
const bash = (command: string): string => `\`\`\`bash\n${command}\n\`\`\`\n`;
const tool = (name: string, input: object): string =>
  `\`\`\`tool ${name}\n${JSON.stringify(input)}\n\`\`\`\n`;

interface State {
  readonly name: string;
  readonly source: string;
  readonly armed: boolean;
  readonly nextFire: string | null;
}
type ReadChat = Chat & { readonly capability: Capability; readonly messages: Message[] };

let home: OpenHome;
let server: Running;

// No setting for tools of keepers is enabled: the routes do not depend on them.
beforeAll(async () => {
  home = openHome();
  for (const slug of ['states', 'kinds', 'runs', 'clock', 'now', 'models']) {
    home.write(`projects/${slug}/project.yaml`, `name: ${slug}\n`);
  }
  server = await home.serve({ TZ: 'Asia/Kathmandu' });
});
afterAll(() => home.close());

const route = (slug: string, rest = ''): string => `/api/projects/${slug}/triggers${rest}`;

async function put(slug: string, name: string, record: object): Promise<Record<string, unknown>> {
  const { status, body } = await server.send('PUT', route(slug, `/${name}`), record);
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body;
}

async function stateOf(slug: string, name: string, source = 'trigger'): Promise<State | undefined> {
  const { body } = await server.get(route(slug, '/runtime'));
  const { runtime } = body as { runtime: State[] };
  return runtime.find((state) => state.name === name && state.source === source);
}

/** Runs a trigger now and returns its run once it has ended. */
async function fired(slug: string, name: string): Promise<Run> {
  const { status, body } = await server.send('POST', route(slug, `/${name}/run`));
  const { sessionId, runId } = body as { sessionId: string; runId: string };
  expect([status, typeof sessionId]).toEqual([202, 'string']);
  return until(async () => {
    const run = (await server.get(`/api/projects/${slug}/runs/${runId}`)).body as Run;
    expect(run.sessionId).toBe(sessionId);
    return run.state === 'ended' && run;
  });
}

async function chatOf({ project, sessionId }: Run): Promise<ReadChat> {
  return (await server.get(`/api/projects/${project}/chats/${sessionId}`)).body;
}

describe('a trigger', () => {
  const record = { trigger: DAILY, run: { prompt: bash('true') } };
  const file = () => home.read('projects/states/project.yaml');

  // proves: trigger.stored, trigger.enabled.default, firing.now, firing.now.state
  // proves: state.new.disabled, state.new.enabled, state.enable, state.disable, state.remove
  // proves: rest.always, rest.get, rest.put, rest.put.absent-enabled, rest.put.switch, rest.delete
  // proves: rest.runtime, rest.run
  it('is disabled until it is enabled, can be fired manually all the same, and is gone once it is deleted', async () => {
    expect(await put('states', 'it', record)).toMatchObject({ name: 'it', enabled: false });
    expect(file()).toMatch(/^triggers:\n {2}it:\n/m);
    const off = { armed: false, nextFire: null };
    expect(await stateOf('states', 'it')).toMatchObject(off);
    const stored = (await server.get(route('states', '/it'))).body;

    expect((await fired('states', 'it')).outcome).toBe('succeeded');
    expect((await server.get(route('states', '/it'))).body).toEqual(stored);
    expect(await stateOf('states', 'it')).toMatchObject(off);

    const on = { armed: true, nextFire: expect.any(String) };
    expect(await put('states', 'it', { ...record, enabled: true })).toMatchObject({
      enabled: true,
    });
    expect(await stateOf('states', 'it')).toMatchObject(on);
    await fired('states', 'it');
    expect(await stateOf('states', 'it')).toMatchObject(on);
    await put('states', 'it', { ...record, enabled: false });
    expect(await stateOf('states', 'it')).toMatchObject(off);

    await put('states', 'other', { ...record, enabled: true });
    expect(await stateOf('states', 'other')).toMatchObject(on);
    // A replacement without `enabled` is disabled.
    await put('states', 'other', record);
    expect(await stateOf('states', 'other')).toMatchObject(off);
    await put('states', 'other', { ...record, enabled: true });
    expect((await server.send('DELETE', route('states', '/other'))).status).toBe(200);
    expect(await stateOf('states', 'other')).toBeUndefined();
    expect((await server.get(route('states', '/other'))).status).toBe(404);
    expect(file()).not.toContain('other');
  });

  // proves: trigger.type, trigger.event.names, run.tools.catalogue, run.tools.catalogue.built-in
  // proves: rest.list, rest.list.catalogue, rest.list.events, rest.list.types
  it('of any type is listed, with all possible values', async () => {
    const run = { prompt: 'x' };
    await put('kinds', 'hourly', { trigger: HOURLY, run });
    await put('kinds', 'hook', { trigger: HOOK, run });
    await put('kinds', 'web', { trigger: { type: 'webhook' }, run, enabled: true });
    const { body } = await server.get(route('kinds'));
    const list = body as { triggers: { name: string }[]; grantableTools: string[] };
    expect(list.triggers.map(({ name }) => name)).toEqual(['hourly', 'hook', 'web']);
    expect(list).toMatchObject({
      triggerTypes: ['schedule', 'event', 'webhook'],
      events: ['onArchive', 'afterTurn'],
    });
    expect(list.grantableTools).toEqual(
      expect.arrayContaining([
        ...['Read', 'Glob', 'Grep', 'Edit', 'Write', 'NotebookEdit', 'Bash', 'WebFetch'],
        ...['WebSearch', 'Task'],
      ]),
    );
    expect(await stateOf('kinds', 'web')).toMatchObject({ armed: false, nextFire: null });
    const tools = list.grantableTools;
    const all = await put('kinds', 'all', { trigger: HOURLY, run: { ...run, tools } });
    expect(all).toMatchObject({ run: { tools } });
    const more = { trigger: HOURLY, run: { ...run, tools: [...tools, 'Teleport'] } };
    expect((await server.send('PUT', route('kinds', '/all'), more)).status).toBe(400);
  });

  // proves: trigger.webhook.reserved, rest.get.unknown, rest.run.unknown, rest.run.no-chat
  it('is 404 when it does not exist, and 502 when it cannot start a chat', async () => {
    const run = { promptFile: 'gone.md' };
    await put('kinds', 'fileless', { trigger: HOURLY, run });
    await put('kinds', 'web', { trigger: { type: 'webhook' }, enabled: true });
    const statuses = async (name: string) => [
      (await server.get(route('kinds', `/${name}`))).status,
      (await server.send('POST', route('kinds', `/${name}/run`))).status,
    ];
    expect(await statuses('unknown')).toEqual([404, 404]);
    expect(await statuses('fileless')).toEqual([200, 502]);
    expect(await statuses('web')).toEqual([200, 502]);
  });

  // proves: run.prompt.both
  it('with two prompts is refused, and ignored as a whole in a file', async () => {
    const both = { prompt: 'x', promptFile: 'x.md' };
    const answer = await server.send('PUT', route('kinds', '/both'), { trigger: DAILY, run: both });
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'invalid' }]);
    home.write(
      'projects/dropped/project.yaml',
      `triggers: ${JSON.stringify({
        both: { trigger: DAILY, run: both, enabled: true },
        sound: { trigger: DAILY, run: { prompt: 'x' }, enabled: true },
      })}\n`,
    );
    await until(async () => (await stateOf('dropped', 'sound'))?.armed);
    expect(await stateOf('dropped', 'both')).toBeUndefined();
    expect((await server.get(route('dropped', '/both'))).status).toBe(404);
    expect((await server.get(route('dropped'))).body).toMatchObject({
      triggers: [{ name: 'sound' }],
      invalid: [{ name: 'both', issues: [{ path: 'run.promptFile' }] }],
    });
  });
});

describe('time', () => {
  // proves: trigger.cron.host-local, schedules.armed, schedules.cron
  it('is the time zone of the host for triggers and older schedules', async () => {
    await put('clock', 'daily', { trigger: DAILY, run: { prompt: 'x' }, enabled: true });
    const yaml = home.read('projects/clock/project.yaml');
    const old = 'schedules:\n  old: { type: cron, cron: 30 4 * * *, prompt: x }\n';
    home.write('projects/clock/project.yaml', yaml + old);
    await until(async () => (await stateOf('clock', 'old', 'schedule'))?.armed);
    // Nepal is 5:45 ahead of UTC.
    expect((await stateOf('clock', 'daily'))?.nextFire).toMatch(/T21:15:00\.000Z$/);
    expect((await stateOf('clock', 'old', 'schedule'))?.nextFire).toMatch(/T22:45:00\.000Z$/);
  });

  // proves: trigger.disabled, trigger.webhook.reserved, schedules.armed, schedules.interval
  // proves: schedules.prompt, schedules.prompt-file, schedules.resume-session.false
  // proves: schedules.resume-session.true, schedules.enabled, schedules.coexist, firing.by-time
  it('decides when enabled entries of both maps fire, and nothing else', async () => {
    const due = { trigger: { type: 'schedule', interval: '1s' }, run: { prompt: bash('true') } };
    const old = { type: 'interval', interval: '1s', prompt: bash('true') };
    const prompt = { promptFile: 'old.md', prompt: null };
    home.write('projects/due/.svc/schedules/old.md', bash('true'));
    home.write(
      'projects/due/project.yaml',
      JSON.stringify({
        triggers: {
          twin: { ...due, enabled: true },
          off: { ...due, enabled: false },
          web: { trigger: { type: 'webhook' }, run: due.run, enabled: true },
        },
        schedules: {
          twin: { ...old, ...prompt, resume_session: false },
          one: { ...old, resume_session: true },
          off: { ...old, enabled: false },
        },
      }),
    );
    const done = async (source: string, trigger: string): Promise<Run[]> => {
      const { body } = await server.get('/api/projects/due/runs?outcome=succeeded&limit=200');
      return (body as { runs: Run[] }).runs.filter(
        (run) => run.source === source && run.trigger === trigger,
      );
    };
    const sessions = (source: string, trigger: string) =>
      until(async () => {
        const runs = await done(source, trigger);
        return runs.length >= 2 && runs.slice(-2).map(({ sessionId }) => sessionId);
      });
    const [fresh, again] = await sessions('trigger', 'twin');
    expect(again).not.toBe(fresh);
    const [first, second] = await sessions('schedule', 'twin');
    expect(second).not.toBe(first);
    const [one, same] = await sessions('schedule', 'one');
    expect(same).toBe(one);
    const { body } = await server.get('/api/projects/due/runs?limit=200');
    const { runs } = body as { runs: Run[] };
    home.write('projects/due/project.yaml', 'name: Done\n');
    expect([...new Set(runs.map(({ source, trigger }) => `${source} ${trigger}`))].sort()).toEqual([
      'schedule one',
      'schedule twin',
      'trigger twin',
    ]);
  });
});

describe('a fired turn', () => {
  // proves: run.tools.keeper, run.tools.scoped, run.tools.hook, run.tools.agent-name
  // proves: run.tools.enforced, run.tools.banner, run.permission-mode.applied
  it('may use the tools that its trigger lists, and its chat shows them', async () => {
    const prompt = bash('echo > here.txt');
    const may = (name: string, trigger: object, run: object) =>
      put('runs', name, { trigger, run: { prompt, ...run } }).then(() => fired('runs', name));
    const asked = await server.send('POST', '/api/projects/runs/chats', { prompt: 'Hello.' });
    const { sessionId } = asked.body as { sessionId: string };
    const { body } = await server.get(`/api/projects/runs/chats/${sessionId}`);
    const keeper = (body as ReadChat).capability;
    expect(keeper).toMatchObject({ runsAs: 'keeper', agentName: null });

    const rows: [string, object, object, string, object][] = [
      ['bare', HOURLY, {}, 'succeeded', { runsAs: 'keeper', tools: keeper.tools, maxTurns: 30 }],
      ['own', HOURLY, { tools: ['Bash', 'Read'] }, 'succeeded', { tools: ['Read', 'Bash'] }],
      ['reader', HOURLY, { tools: ['Read'] }, 'denied', { tools: ['Read'] }],
      ['hook', HOOK, {}, 'denied', { tools: [] }],
      ['hook-2', HOOK, { tools: ['Bash'] }, 'succeeded', { tools: ['Bash'] }],
      ['plan', HOURLY, { permissionMode: 'plan' }, 'denied', { permissionMode: 'plan' }],
      ['free', HOURLY, { permissionMode: 'bypassPermissions' }, 'succeeded', {}],
    ];
    for (const [name, trigger, run, outcome, wanted] of rows) {
      const ended = await may(name, trigger, run);
      expect([name, ended.outcome, ended.reason]).toEqual([name, outcome, ended.reason]);
      const { capability, messages } = await chatOf(ended);
      const agentName = `trigger-runs-${name}`;
      const isKeeper = trigger === HOURLY && !('tools' in run);
      const runsAs = isKeeper ? 'keeper' : 'agent';
      expect(capability).toMatchObject({ runsAs, agentName, ...run, ...wanted });
      const [banner] = messages;
      expect(banner).toMatchObject({ role: 'system', kind: 'notice' });
      const lines = banner?.text.split('\n') ?? [];
      expect(lines[0]).toContain(agentName);
      expect(lines[1]).toMatch(
        capability.tools.length === 0 ? /^Tools: none\./ : `Tools: ${capability.tools.join(', ')}.`,
      );
      expect(lines[2]).toContain(`Permission mode: ${capability.permissionMode}.`);
    }
  });

  // proves: run.max-spawn-depth.bounds
  it('starts child turns only to the depth that its trigger allows', async () => {
    const run = { prompt: tool('Task', { prompt: bash('true') }), tools: ['Task', 'Bash'] };
    await put('runs', 'parent', { trigger: HOURLY, run });
    expect((await fired('runs', 'parent')).outcome).toBe('succeeded');
    await put('runs', 'parent', { trigger: HOURLY, run: { ...run, maxSpawnDepth: 0 } });
    expect(await fired('runs', 'parent')).toMatchObject({
      outcome: 'denied',
      denied: [{ tool: 'Task' }],
    });
  });

  // proves: run.session.default, run.session.new, run.session.resume
  it('has a new chat each time, unless its trigger resumes one', async () => {
    const session = async (run: object): Promise<(string | null)[]> => {
      await put('runs', 'talk', { trigger: HOURLY, run: { prompt: bash('true'), ...run } });
      const first = await fired('runs', 'talk');
      return [first.sessionId, (await fired('runs', 'talk')).sessionId];
    };
    const chats = [...(await session({})), ...(await session({ session: 'new' }))];
    expect(new Set(chats).size).toBe(4);
    const [one, same] = await session({ session: 'resume' });
    expect(same).toBe(one);
    expect(chats).not.toContain(one);
  });

  // proves: run.prompt-file.fresh, run.prompt-file.tracked, run.prompt-file.keeper
  it('follows the current prompt file, which is a plain file that the keeper may edit', async () => {
    const file = '.svc/triggers/work.md';
    home.write(`projects/runs/${file}`, bash('echo one > said.txt'));
    await put('runs', 'work', { trigger: HOURLY, run: { promptFile: 'work.md' } });
    await fired('runs', 'work');
    expect(home.read('projects/runs/said.txt')).toBe('one\n');
    const content = bash('echo two > said.txt');
    const edit = { prompt: tool('Write', { file_path: file, content }) };
    await put('runs', 'keeper', { trigger: HOURLY, run: edit });
    await put('runs', 'scoped', { trigger: HOURLY, run: { ...edit, tools: ['Write'] } });
    expect((await fired('runs', 'scoped')).outcome).toBe('denied');
    await fired('runs', 'work');
    expect(home.read('projects/runs/said.txt')).toBe('one\n');
    expect((await fired('runs', 'keeper')).outcome).toBe('succeeded');
    await fired('runs', 'work');
    expect(home.read('projects/runs/said.txt')).toBe('two\n');
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: join(home.home, 'projects/runs'), encoding: 'utf8' });
    git('init', '--quiet');
    git('add', '--all');
    expect(git('ls-files').split('\n')).toEqual(expect.arrayContaining(['project.yaml', file]));
  });

  // proves: run.model, set-trigger.model
  it('has the current model of the keeper unless its trigger names another', async () => {
    const asked = async (run: object) => {
      const trigger = { trigger: HOURLY, run: { prompt: bash('true'), ...run } };
      await put('models', 'it', trigger);
      const ended = await fired('models', 'it');
      return [(await chatOf(ended)).model, ended.outcome];
    };
    home.write('projects/models/project.yaml', 'keeper: { model: of-the-keeper }\n');
    for (const session of ['new', 'resume']) {
      expect(await asked({ session })).toEqual(['of-the-keeper', 'no_model']);
      expect(await asked({ session, model: 'its-own' })).toEqual(['its-own', 'no_model']);
      expect(await asked({ session, model: 'playbook' })).toEqual(['playbook', 'succeeded']);
    }
  });

  // proves: firing.one-path
  it('can be started now with the same result as by a slot', async () => {
    const run = { prompt: bash('true'), tools: ['Bash'], maxTurns: 3, model: 'playbook' };
    const record = { trigger: { type: 'schedule', interval: '1s' }, run };
    await put('now', 'it', { ...record, enabled: true });
    const slot = await until(async () => {
      const { body } = await server.get('/api/projects/now/runs?outcome=succeeded');
      return (body as { runs: Run[] }).runs.at(-1);
    });
    await put('now', 'it', record);
    const manual = await fired('now', 'it');
    expect([slot.cause, manual.cause]).toEqual(['schedule', 'manual']);
    const seen = async (ended: Run) => {
      const { capability, model, runtime, messages } = await chatOf(ended);
      const said = messages.map(({ role, kind, text }) => ({ role, kind, text }));
      const { outcome, turns, toolCalls } = ended;
      return { capability, model, runtime, said, outcome, turns, toolCalls };
    };
    expect(await seen(manual)).toEqual(await seen(slot));
  });
});
