import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Chat, Message } from '@svc/records';
import { createValidator, type Validator } from '@svc/schema';
import { type GitServer, serveGit } from './git-server.ts';
import { type OpenHome, openHome, type Running, until } from './harness.ts';
import {
  callTool,
  messageIn,
  openWire,
  requestOf,
  rpc,
  type ToolAnswer,
  type Wire,
} from './wire.ts';

jest.setTimeout(30_000);

const STARTING_TURNS = [
  ...['create_chat', 'fork_chat', 'fork_chat_batch', 'send_message', 'run_trigger'],
];
const READING = ['list_projects', 'list_chats', 'read_chat'];
const WRITING = [
  ...['create_project', 'create_chat', 'fork_chat', 'send_message'],
  ...['fork_chat_batch', 'archive_chat', 'unarchive_chat'],
];
const TRIGGERS = ['list_triggers', 'set_trigger', 'remove_trigger', 'run_trigger'];
const ALL = [...READING, ...WRITING, ...TRIGGERS];

/** Clients with limited scopes, and what they may see. */
const SCOPES: Record<string, { scope?: object; tools: readonly string[] }> = {
  all: { scope: { allow: ['*'] }, tools: ALL },
  bare: { tools: [...READING, 'list_triggers'] },
  alpha: { scope: { projects: ['alpha'], allow: ['*'] }, tools: ALL },
  'not-beta': { scope: { allow: ['*'], denyProjects: ['beta'] }, tools: ALL },
  'both-ways': {
    scope: { projects: ['alpha', 'beta'], denyProjects: ['beta'], allow: ['list_*'] },
    tools: ['list_projects', 'list_chats', 'list_triggers'],
  },
  nothing: { scope: { allow: [] }, tools: [] },
  nowhere: { scope: { projects: [] }, tools: [...READING, 'list_triggers'] },
  'deny-wins': {
    scope: { allow: ['*', 'read_chat'], deny: ['*_chat', 'list_c*', 'read_chat'] },
    tools: ALL.filter((name) => name !== 'list_chats' && name !== 'read_chat'),
  },
  mistyped: {
    scope: { allow: ['list_?', 'read[_]chat', '*_chat', 'l*s', 'list', 'LIST_CHATS'] },
    tools: [],
  },
  outside: { scope: { allow: ['tools/list', 'delete_all', 'read_chat'] }, tools: ['read_chat'] },
  batch: { scope: { allow: ['fork_chat_batch', 'list_chats'] }, tools: ['list_chats'] },
  'two-forks': {
    scope: { allow: ['fork_chat*'] },
    tools: ['fork_chat', 'fork_chat_batch'],
  },
};
const LOAD = Array.from({ length: 8 }, (_, n) => `load-${n}`);
const tokenOf = (client: string): string => `tok_home_${client.padEnd(24, '-')}`;
const variableOf = (client: string): string => client.toUpperCase().replaceAll('-', '_');

const CLIENT_NAMES = [...Object.keys(SCOPES), ...LOAD];
const TOKENS = Object.fromEntries(CLIENT_NAMES.map((name) => [variableOf(name), tokenOf(name)]));
const CONFIG = `managementApi: ${JSON.stringify({
  instanceId: 'home',
  publicUrl: 'https://svc.example.com',
  clients: Object.fromEntries(
    CLIENT_NAMES.map((name) => {
      const n = LOAD.indexOf(name);
      const own = { projects: [`p${n}`, `q${n}*`], allow: ['list_*', 'read_chat', 'create_chat'] };
      const scope = n < 0 ? SCOPES[name]?.scope : own;
      return [name, { auth: { ref: `env:${variableOf(name)}` }, ...(scope ? { scope } : {}) }];
    }),
  ),
})}\n`;

// Words that occur in prompts, files and transcripts, and nowhere else.
const SECRET_WORDS = ['Quetzalcoatl', 'Xochimilco', 'Popocatepetl', 'Tenochtitlan'];
const steps = (command: string, words = ''): string =>
  `${words}\n\n\`\`\`bash\n${command}\n\`\`\`\n`;

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: object;
  readonly annotations: Readonly<Record<string, unknown>>;
}

let home: OpenHome;
let server: Running;
let tools: readonly Described[];
const checks = new Map<string, Validator<unknown>>();
let git: GitServer;
const wires: Wire[] = [];

beforeAll(async () => {
  git = await serveGit({ 'README.md': 'Cloned.\n', 'project.yaml': 'name: From afar\n' });
  home = openHome();
  home.write('svc.config.yaml', CONFIG);
  const projects = ['alpha', 'beta', ...LOAD.flatMap((_, n) => [`p${n}`, `q${n}-a`, `q${n}-b`])];
  for (const slug of projects) home.write(`projects/${slug}/project.yaml`, `name: The ${slug}\n`);
  const env = { ...TOKENS, GIT_SSL_CAINFO: git.certificate, SVC_LOG_LEVEL: 'debug' };
  // The settings for tools of keepers are all off, which must not matter.
  server = await home.serve(env);
  tools = await listed(connect(), 'all');
  for (const { name, outputSchema } of tools) {
    const check = createValidator(outputSchema as { readonly type: 'object' });
    checks.set(name, (value) => check(value));
  }
});
afterAll(async () => {
  for (const wire of wires) wire.end();
  await home.close();
  await git.close();
});

const connect = (): Wire => {
  const wire = openWire(server.url);
  wires.push(wire);
  return wire;
};
const text = (answer: ToolAnswer): string => answer.content[0]?.text ?? '';

async function listed(wire: Wire, client: string): Promise<readonly Described[]> {
  wire.send(requestOf({ token: tokenOf(client), body: rpc('tools/list') }));
  const { result } = messageIn((await wire.answer()).body) as {
    result: { tools: readonly Described[] };
  };
  return result.tools;
}

/** Calls as a client and returns the structured content, which must match the published schema and the text. */
async function work<T = never>(wire: Wire, client: string, name: string, args: object = {}) {
  const answer = await callTool(wire, tokenOf(client), name, args);
  if (answer.isError === true) throw new Error(`${name}: ${text(answer)}`);
  expect(answer.content).toEqual([
    { type: 'text', text: JSON.stringify(answer.structuredContent) },
  ]);
  expect([name, checks.get(name)?.(answer.structuredContent)]).toEqual([
    name,
    { ok: true, value: answer.structuredContent },
  ]);
  return answer.structuredContent as T;
}
interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}
interface Slugs {
  readonly projects: readonly { readonly slug: string }[];
}
const refusal = (message: string): ToolAnswer => ({
  content: [{ type: 'text', text: message }],
  isError: true,
});
const denied = (operation: string): ToolAnswer =>
  refusal(`not permitted: operation ${operation} is outside this client's scope`);
const unknown = (name: string): ToolAnswer => refusal(`Unknown tool: ${name}`);

/** The log lines about calls of the given clients; a line may arrive later than the answer. */
const audit = (clients: readonly string[], atLeast: number) =>
  until(async () => {
    const lines = server.lines.filter(
      ({ msg, who }) =>
        msg === 'operation called' && clients.some((client) => who === `client:${client}`),
    );
    return lines.length >= atLeast && lines;
  });

/** Waits until a chat has no running turn. */
async function settled(wire: Wire, project: string, sessionId: string): Promise<Message[]> {
  await until(async () => {
    const { chats } = await work<{ chats: Chat[] }>(wire, 'all', 'list_chats', {
      project,
      include_archived: true,
    });
    return chats.some((chat) => chat.sessionId === sessionId && !chat.running);
  });
  const { messages } = await work<{ messages: Message[] }>(wire, 'all', 'read_chat', {
    session_id: sessionId,
  });
  return messages;
}

describe('the fourteen operations over the wire', () => {
  const project = 'made-here';
  const file = `projects/${project}/project.yaml`;
  interface Started {
    sessionId: string;
    project: string;
  }

  // proves: events.archive, catalogue.read, catalogue.write, catalogue.trigger, set-trigger.name
  // proves: set-trigger.prompt-file, set-trigger.patch, list-triggers, remove-trigger
  // proves: run-trigger.now, other-operations, config.client-id.identity, policy.no-keeper-gates
  it('work one after the other, on disk and in the database', async () => {
    const wire = connect();
    const call = <T>(name: string, args: object = {}) => work<T>(wire, 'all', name, args);

    const input = { name: 'Made here', summary: 'To see.', area: 'tests', status: 'paused' };
    expect(await call('create_project', input)).toEqual({
      created: true,
      slug: project,
      name: 'Made here',
    });
    expect(home.read(file)).toMatch(/^name: "Made here"$/m);
    const { projects } = await call<{ projects: object[] }>('list_projects');
    expect(projects).toContainEqual({
      slug: project,
      name: 'Made here',
      area: 'tests',
      status: 'paused',
    });

    home.write(`projects/${project}/.svc/triggers/report.md`, steps('echo report > report.txt'));
    const hook = {
      name: 'tidy',
      event: 'onArchive',
      prompt: 'Tidy up.',
      tools: ['Bash'],
    };
    expect(await call('set_trigger', { ...hook, project, enabled: true })).toMatchObject({
      set: true,
      project,
      trigger: { name: 'tidy', type: 'event', event: 'onArchive', tools: ['Bash'], enabled: true },
    });
    const first = {
      name: 'report',
      project,
      type: 'schedule',
      cron: '0 3 * * *',
      prompt_file: 'report.md',
      session: 'resume',
      tools: 'Bash, Read\nRead',
      model: 'playbook',
      permission_mode: 'acceptEdits',
      max_spawn_depth: 0,
      max_turns: 7,
    };
    const set = await call<{ trigger: object }>('set_trigger', first);
    expect(set.trigger).toMatchObject({
      name: 'report',
      agentName: `trigger-${project}-report`,
      type: 'schedule',
      cron: '0 3 * * *',
      interval: null,
      prompt: null,
      promptFile: 'report.md',
      session: 'resume',
      tools: ['Bash', 'Read'],
      model: 'playbook',
      permissionMode: 'acceptEdits',
      maxSpawnDepth: 0,
      maxTurns: 7,
      enabled: false,
      armed: false,
      capability: {
        runsAs: 'agent',
        tools: ['Read', 'Bash'],
        permissionMode: 'acceptEdits',
        maxTurns: 7,
        maxSpawnDepth: 0,
      },
    });
    expect(home.read(file)).toMatch(/promptFile: report\.md/);

    // A patch: absent fields stay, and one of a pair replaces the other.
    const armed = await call<{ trigger: object }>('set_trigger', {
      name: 'report',
      project,
      interval: '30m',
      enabled: true,
    });
    expect(armed.trigger).toMatchObject({
      cron: null,
      interval: '30m',
      promptFile: 'report.md',
      maxTurns: 7,
      enabled: true,
      armed: true,
      nextFire: expect.any(String),
    });
    const { triggers } = await call<{ triggers: object[] }>('list_triggers', { project });
    expect(triggers).toMatchObject([{ name: 'tidy' }, { name: 'report', enabled: true }]);

    const ran = await call<Started>('run_trigger', { name: 'report', project, wait_seconds: 20 });
    expect(ran).toMatchObject({ ran: true, name: 'report', project, outcome: 'succeeded' });
    expect(home.read(`projects/${project}/report.txt`)).toBe('report\n');
    expect(await call('remove_trigger', { name: 'report', project })).toEqual({
      removed: true,
      project,
      name: 'report',
    });
    expect(home.read(file)).not.toContain('report');
    expect(await call('remove_trigger', { name: 'report', project })).toMatchObject({
      removed: false,
    });

    const prompt = steps('echo one > one.txt; echo Xochimilco', 'Greetings from Quetzalcoatl.');
    const chat = await call<Started>('create_chat', { prompt, project, name: 'First' });
    expect(chat).toMatchObject({ created: true, project, name: 'First', prompt });
    const read = await settled(wire, project, chat.sessionId);
    expect(read).toContainEqual({ role: 'user', text: prompt, timestamp: expect.any(String) });
    expect(JSON.stringify(read)).toContain('Xochimilco');
    expect(home.read(`projects/${project}/one.txt`)).toBe('one\n');

    const more = {
      session_id: chat.sessionId,
      prompt: steps('echo two > two.txt', 'Popocatepetl.'),
    };
    expect(await call('send_message', more)).toMatchObject({
      sent: true,
      sessionId: chat.sessionId,
    });
    const longer = await settled(wire, project, chat.sessionId);
    expect(longer.length).toBeGreaterThan(read.length);
    expect(home.read(`projects/${project}/two.txt`)).toBe('two\n');

    const copy = await call<Started>('fork_chat', { session_id: chat.sessionId, name: 'Copy' });
    expect(copy).toEqual({
      forked: true,
      project,
      sessionId: expect.any(String),
      from: chat.sessionId,
      name: 'Copy',
    });
    expect((await settled(wire, project, copy.sessionId)).length).toBe(longer.length);
    const asked = { session_id: chat.sessionId, prompt: steps('echo fork > fork.txt') };
    const fork = await call<Started>('fork_chat', asked);
    await settled(wire, project, fork.sessionId);
    expect(home.read(`projects/${project}/fork.txt`)).toBe('fork\n');
    const batch = await call<{ count: number; forks: Started[] }>('fork_chat_batch', {
      session_id: chat.sessionId,
      prompts: [steps('echo a > batch-a.txt'), steps('echo b > batch-b.txt')],
    });
    expect(batch).toMatchObject({ count: 2, source: chat.sessionId });
    for (const { sessionId } of batch.forks) await settled(wire, project, sessionId);
    expect(home.read(`projects/${project}/batch-a.txt`)).toBe('a\n');
    expect(home.read(`projects/${project}/batch-b.txt`)).toBe('b\n');

    const here = { session_id: copy.sessionId };
    const shown = async () =>
      (await call<{ chats: Chat[] }>('list_chats', { project })).chats.some(
        ({ sessionId }) => sessionId === copy.sessionId,
      );
    expect(await call('archive_chat', here)).toEqual({
      archived: true,
      project,
      sessionId: copy.sessionId,
    });
    expect(await shown()).toBe(false);
    expect(await call('unarchive_chat', here)).toMatchObject({ archived: false });
    expect(await shown()).toBe(true);

    // The client is recorded in the database: on the chat, the message and the run.
    const stored = await server.get(`/api/projects/${project}/chats/${chat.sessionId}`);
    expect(stored.body).toMatchObject({ by: 'client:all' });
    const sent = (stored.body as { messages: Message[] }).messages.filter(({ by }) => by);
    expect(sent.map(({ by }) => by)).toEqual(['client:all', 'client:all']);
    const { body } = await server.get(`/api/projects/${project}/runs`);
    const { runs } = body as { runs: { cause: string; by: string | null }[] };
    expect(runs.find(({ cause }) => cause === 'manual')).toMatchObject({ by: 'client:all' });
  });

  // proves: state.no-verb, catalogue.read, catalogue.write, catalogue.trigger, other-operations
  it('have descriptions for models, with their effects', () => {
    expect(tools.map(({ name }) => name).sort()).toEqual([...ALL].sort());
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect(title.length).toBeGreaterThan(5);
      expect(description.length).toBeGreaterThan(80);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect([name, annotations]).toEqual([
        name,
        {
          title,
          readOnlyHint: [...READING, 'list_triggers'].includes(name),
          destructiveHint: ['set_trigger', 'remove_trigger', ...STARTING_TURNS].includes(name),
          idempotentHint: expect.any(Boolean),
          openWorldHint: expect.any(Boolean),
        },
      ]);
    }
  });

  // proves: set-trigger.flat, set-trigger.name, set-trigger.type, set-trigger.cron
  // proves: set-trigger.interval, set-trigger.event, set-trigger.prompt, set-trigger.prompt-file
  // proves: set-trigger.session, set-trigger.tools, set-trigger.model, set-trigger.permission-mode
  // proves: set-trigger.max-spawn-depth, set-trigger.max-turns, set-trigger.enabled
  it('accept the arguments of set_trigger, and no others', () => {
    const schema = tools.find(({ name }) => name === 'set_trigger')?.inputSchema;
    expect(schema).toMatchObject({ required: ['name'], additionalProperties: false });
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(
      [
        ...['name', 'type', 'cron', 'interval', 'event', 'prompt', 'prompt_file', 'session'],
        ...['tools', 'model', 'permission_mode', 'max_spawn_depth', 'max_turns', 'enabled'],
        ...['project', 'timezone', 'overlap', 'catch_up', 'network'],
      ].sort(),
    );
    expect(schema?.properties['type']?.enum).toEqual(['schedule', 'event', 'webhook']);
    expect(schema?.properties['session']?.enum).toEqual(expect.arrayContaining(['new', 'resume']));
  });

  // proves: trigger-tools.every-type, set-trigger.type, set-trigger.cron, set-trigger.interval
  // proves: set-trigger.event, set-trigger.prompt, set-trigger.session, set-trigger.tools
  // proves: set-trigger.tools-empty, set-trigger.model, set-trigger.permission-mode
  // proves: set-trigger.max-spawn-depth, set-trigger.max-turns, set-trigger.enabled
  // proves: set-trigger.patch
  it.each<[object, object]>([
    [
      { interval: '15m', prompt: 'x' },
      {
        ...{ type: 'schedule', session: 'new', tools: [], model: null, permissionMode: null },
        ...{ maxTurns: 30, maxSpawnDepth: null, enabled: false, armed: false, nextFire: null },
        capability: expect.objectContaining({ runsAs: 'keeper' }),
      },
    ],
    [
      { cron: '@daily', prompt: 'x', enabled: true },
      { cron: '@daily', armed: true },
    ],
    [
      { type: 'webhook', prompt: 'x', enabled: true },
      { type: 'webhook', armed: false },
    ],
    [
      { event: 'onArchive', prompt: 'x' },
      {
        ...{ type: 'event', event: 'onArchive', tools: [] },
        capability: expect.objectContaining({ runsAs: 'agent', tools: [] }),
      },
    ],
    [{ event: 'afterTurn', prompt: 'x' }, { event: 'afterTurn' }],
    [{ interval: '1h', prompt: 'x', tools: '["Read", "Glob"]' }, { tools: ['Read', 'Glob'] }],
    [{ interval: '1h', prompt: 'x', tools: ['Read', 'Glob'] }, { tools: ['Read', 'Glob'] }],
    [{ interval: '1h', prompt: 'x', tools: 'Read, Glob' }, { tools: ['Read', 'Glob'] }],
    [{ interval: '1h', prompt: 'x', tools: 'Read\nGlob' }, { tools: ['Read', 'Glob'] }],
    ...['default', 'acceptEdits', 'bypassPermissions', 'plan'].map((mode): [object, object] => [
      { interval: '1h', prompt: 'x', permission_mode: mode },
      { permissionMode: mode },
    ]),
    [{ interval: '1h', prompt: 'x', model: 'some' }, { model: 'some' }],
    [{ interval: '1h', prompt: 'x', max_spawn_depth: 0 }, { maxSpawnDepth: 0 }],
    [{ interval: '1h', prompt: 'x', max_turns: 3 }, { maxTurns: 3 }],
    [{ interval: '1h', prompt: 'x', session: 'resume' }, { session: 'resume' }],
  ])('create from %j a trigger with %j', async (args, wanted) => {
    const wire = connect();
    const at = { project: 'q7-b', name: 'new' };
    const { trigger } = await work<{ trigger: object }>(wire, 'all', 'set_trigger', {
      ...at,
      ...args,
    });
    expect(trigger).toMatchObject(wanted);
    // An edit without fields changes nothing.
    const again = await work<{ trigger: object }>(wire, 'all', 'set_trigger', at);
    expect({ ...again.trigger, nextFire: null }).toEqual({ ...trigger, nextFire: null });
    await work(wire, 'all', 'remove_trigger', at);
  });

  // proves: firing.now.state, state.new.disabled, state.new.enabled, state.enable, state.disable
  // proves: state.edit, state.remove, set-trigger.prompt, set-trigger.prompt-file
  // proves: set-trigger.enabled, set-trigger.patch, remove-trigger
  it('arm and disarm a trigger by an edit, and leave other fields unchanged', async () => {
    const wire = connect();
    const at = { project: 'beta', name: 'states' };
    const set = async (args: object): Promise<object> =>
      (await work<{ trigger: object }>(wire, 'all', 'set_trigger', { ...at, ...args })).trigger;
    const kept = { cron: '0 3 * * *', tools: ['Read'], maxTurns: 7 };
    const off = { ...kept, enabled: false, armed: false, nextFire: null };
    const on = { ...kept, enabled: true, armed: true, nextFire: expect.any(String) };
    expect(await set({ ...kept, maxTurns: undefined, max_turns: 7, prompt: 'x' })).toMatchObject(
      off,
    );
    expect(await set({ enabled: true })).toMatchObject(on);
    expect(await set({ prompt: 'y' })).toMatchObject({ ...on, prompt: 'y' });
    const filed = { prompt: null, promptFile: 'states.md' };
    expect(await set({ prompt_file: 'states.md' })).toMatchObject({ ...on, ...filed });
    expect(await set({ enabled: false })).toMatchObject({ ...off, ...filed });
    const inline = { ...off, prompt: 'z', promptFile: null };
    expect(await set({ prompt: 'z' })).toMatchObject(inline);
    // It can be run all the same, and stays unchanged.
    expect(await work(wire, 'all', 'run_trigger', at)).toMatchObject({ ran: true });
    const listed = async () =>
      (await work<{ triggers: object[] }>(wire, 'all', 'list_triggers', { project: at.project }))
        .triggers;
    expect(await listed()).toMatchObject([inline]);
    expect(await set({ enabled: true })).toMatchObject(on);
    await work(wire, 'all', 'remove_trigger', at);
    expect(await listed()).toEqual([]);
    const { body } = await server.get(`/api/projects/${at.project}/triggers/runtime`);
    expect(body).toEqual({ runtime: [] });
    expect(await set({ interval: '1h', prompt: 'x', enabled: true })).toMatchObject({
      enabled: true,
      armed: true,
      nextFire: expect.any(String),
    });
    await work(wire, 'all', 'remove_trigger', at);
  });

  it.each([
    ['name', 'na\0me', /^name must not contain the character U\+0000/],
    ['name', 'two\nlines', /^name must be one non-blank line/],
    ['name', ' ', /^name must be one non-blank line/],
    ['model', '\u0007', /^model must be one non-blank line/],
    ['prompt', 'a\0b', /^prompt must not contain the character U\+0000/],
    ['prompt', 'a\ud800', /^prompt must be valid Unicode/],
  ])('reject a %s that could not be stored unchanged: %j', async (argument, text, sentence) => {
    const wire = connect();
    const args = { project: 'beta', prompt: 'x', [argument]: text };
    const answer = await callTool(wire, tokenOf('all'), 'create_chat', args);
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(sentence) }],
    });
  });

  it('name a chat after its prompt', async () => {
    const wire = connect();
    const args = { project: 'beta', prompt: '# Heading\u0007\nand more' };
    const made = await work<{ sessionId: string }>(wire, 'all', 'create_chat', args);
    expect(made).toMatchObject({ name: 'Heading' });
    const source = { session_id: made.sessionId };
    expect(await work(wire, 'all', 'fork_chat', source)).toMatchObject({ name: 'Heading (fork)' });
    const long = await work(wire, 'all', 'create_chat', {
      project: 'beta',
      prompt: `${'x'.repeat(78)}\u{1f600}\u{1f600}\u{1f600}`,
    });
    expect(long).toMatchObject({ name: `${'x'.repeat(78)}\u{1f600}…` });
  });

  // proves: set-trigger.name, set-trigger.cron-or-interval, set-trigger.prompt-or-file
  it('report an error in one sentence, and change nothing', async () => {
    const wire = connect();
    const before = home.read('projects/alpha/project.yaml');
    const wrongs: [string, object, RegExp][] = [
      ['set_trigger', { name: 'x', project: 'alpha', prompt: 'a', prompt_file: 'b.md' }, /prompt/],
      ['set_trigger', { name: 'x', project: 'alpha', cron: '* * * * *', interval: '1h' }, /cron/],
      ['set_trigger', { project: 'alpha' }, /name/],
      [
        'set_trigger',
        { name: 'x', project: 'alpha', interval: '1h', prompt: 'a', extra: 1 },
        /extra/,
      ],
      ['run_trigger', { name: 'none', project: 'alpha' }, /trigger/],
      ['list_triggers', { project: 'gamma' }, /no such project/i],
      ['read_chat', { session_id: 'none' }, /no such chat/i],
      ['create_chat', { prompt: '', project: 'alpha' }, /prompt/],
    ];
    for (const [name, args, words] of wrongs) {
      const answer = await callTool(wire, tokenOf('all'), name, args);
      expect(answer).toEqual(refusal(text(answer)));
      expect(text(answer)).toMatch(words);
    }
    expect(home.read('projects/alpha/project.yaml')).toBe(before);
  });

  it('create a project from a repository, and leave nothing behind when the repository cannot be cloned', async () => {
    const wire = connect();
    const input = { name: 'Cloned', slug: 'cloned', repo: git.url };
    expect(await work(wire, 'all', 'create_project', input)).toMatchObject({
      created: true,
      slug: 'cloned',
      name: 'From afar',
    });
    expect(home.read('projects/cloned/README.md')).toBe('Cloned.\n');
    const remains = () =>
      readdirSync(join(home.home, 'projects')).flatMap((name) =>
        name === '.clones' ? readdirSync(join(home.home, 'projects/.clones')) : name,
      );
    const before = remains();
    const failed = { name: 'Gone', slug: 'gone', repo: git.nowhere };
    const answer = await callTool(wire, tokenOf('all'), 'create_project', failed);
    expect(answer).toEqual(refusal(text(answer)));
    expect(remains()).toEqual(before);
    // A client without access to the new slug creates and fetches nothing.
    const foreign = { name: 'Gone', slug: 'gone', repo: git.url };
    expect(await callTool(wire, tokenOf('alpha'), 'create_project', foreign)).toEqual(
      denied('create_project'),
    );
    expect(existsSync(join(home.home, 'projects/gone'))).toBe(false);
  });
});

describe('the view of a client', () => {
  // proves: catalogue.names-of-rules, versions.one-toolset, scope.allow.default, scope.allow.empty
  // proves: scope.deny.wins, scope.absent, policy.deny-wins, policy.patterns, policy.literals
  // proves: policy.hidden, policy.readers, policy.batch
  it.each(Object.entries(SCOPES))('has the tools of its scope: %s', async (client, { tools }) => {
    const wire = connect();
    const names = (await listed(wire, client)).map(({ name }) => name);
    expect(names.sort()).toEqual([...tools].sort());
  });

  // proves: run-trigger.gated, errors.unknown-tool, policy.both-dimensions, policy.catalogue-only
  // proves: policy.hidden.unknown, policy.batch
  it.each(Object.entries(SCOPES))(
    'has no other tools, however it asks: %s',
    async (client, { tools }) => {
      const wire = connect();
      const hidden = ALL.filter((name) => !tools.includes(name));
      const names = [
        ...hidden,
        'no_such_tool',
        'mcp__svc_manage__list_chats',
        'LIST_CHATS',
        'list_',
      ];
      for (const name of names) {
        const args = { name: 'x', session_id: 'x', prompt: 'x', project: 'alpha' };
        expect(await callTool(wire, tokenOf(client), name, args)).toEqual(unknown(name));
        expect(await callTool(wire, tokenOf(client), name)).toEqual(unknown(name));
      }
    },
  );

  // proves: scope.projects.default, scope.projects.empty, scope.deny-projects.wins
  // proves: policy.enumerations
  it('has only the projects and chats of its scope', async () => {
    const wire = connect();
    await work(wire, 'all', 'create_chat', { prompt: 'x', project: 'alpha', name: 'Of alpha' });
    await work(wire, 'all', 'create_chat', { prompt: 'x', project: 'beta', name: 'Of beta' });
    const slugs = async (client: string) => {
      const { projects } = await work<{ projects: { slug: string }[] }>(
        wire,
        client,
        'list_projects',
      );
      return projects.map(({ slug }) => slug);
    };
    const named = async (client: string) => {
      const { chats } = await work<{ chats: { project: string; name: string }[] }>(
        wire,
        client,
        'list_chats',
      );
      return [...new Set(chats.map(({ project }) => project))];
    };
    expect(await slugs('alpha')).toEqual(['alpha']);
    expect(await named('alpha')).toEqual(['alpha']);
    expect(await slugs('both-ways')).toEqual(['alpha']);
    expect(await named('both-ways')).toEqual(['alpha']);
    expect(await slugs('nowhere')).toEqual([]);
    expect(await named('nowhere')).toEqual([]);
    expect(await slugs('not-beta')).toEqual((await slugs('all')).filter((slug) => slug !== 'beta'));
    expect(await named('not-beta')).not.toContain('beta');
    expect(await named('bare')).toEqual(expect.arrayContaining(['alpha', 'beta']));
  });

  // proves: errors.denied, scope.deny-projects.wins, policy.both-dimensions, policy.deny-wins
  // proves: policy.named-targets, policy.denial
  it.each(['alpha', 'not-beta'])(
    'has no project outside of its scope, by any operation or spelling: %s',
    async (client) => {
      const wire = connect();
      const { sessionId } = await work<{ sessionId: string }>(wire, 'all', 'create_chat', {
        prompt: 'x',
        project: 'beta',
        name: 'Not for others',
      });
      const before = home.read('projects/beta/project.yaml');
      const chat = { session_id: sessionId };
      const there = { project: 'beta' };
      const calls: [string, object][] = [
        ['list_chats', there],
        ['list_triggers', there],
        ['read_chat', chat],
        ['read_chat', { ...chat, ...there }],
        ['create_chat', { ...there, prompt: 'x' }],
        ['fork_chat', chat],
        ['send_message', { ...chat, prompt: 'x' }],
        ['fork_chat_batch', { ...chat, prompts: 'x' }],
        ['archive_chat', chat],
        ['unarchive_chat', chat],
        ['set_trigger', { ...there, name: 'x', interval: '1h', prompt: 'x' }],
        ['remove_trigger', { ...there, name: 'x' }],
        ['run_trigger', { ...there, name: 'x' }],
        ['create_project', { name: 'x', slug: 'beta' }],
        ['read_chat', { session_id: 'made-up' }],
      ];
      for (const [name, args] of calls) {
        expect([name, await callTool(wire, tokenOf(client), name, args)]).toEqual([
          name,
          denied(name),
        ]);
      }
      // The rule of one client covers other slugs, none of which exist; that of the other covers nothing else.
      const lost = (name: string, project: string): ToolAnswer =>
        client === 'not-beta' && /^\w+\.?$/.test(project)
          ? refusal('There is no such project.')
          : denied(name);
      const spellings = [
        ...['BETA', 'Beta', 'beta/', 'beta/.', './beta', '../projects/beta', 'alpha/../beta'],
        ...['be%74a', 'beta%2f', 'beta\0', ' beta', 'beta ', 'beta\n', 'beta.', 'bet\u0301a'],
        ...['/beta', '\\beta', '.', '..', '*', 'b*', '__proto__'],
      ];
      for (const project of spellings) {
        for (const name of ['list_chats', 'list_triggers']) {
          const answer = await callTool(wire, tokenOf(client), name, { project });
          expect([project, name, answer]).toEqual([project, name, lost(name, project)]);
        }
        const set = { project, name: 'x', interval: '1h', prompt: 'x' };
        expect(await callTool(wire, tokenOf(client), 'set_trigger', set)).toEqual(
          lost('set_trigger', project),
        );
      }
      expect(home.read('projects/beta/project.yaml')).toBe(before);
      const { body } = await server.get(`/api/projects/beta/chats/${sessionId}`);
      expect(body).toMatchObject({ archivedAt: null });
    },
  );

  // proves: set-trigger.project
  it('has its only project by default, and needs a name when there are several', async () => {
    const wire = connect();
    expect(await work(wire, 'alpha', 'list_triggers')).toMatchObject({ project: 'alpha' });
    const answer = await callTool(wire, tokenOf('bare'), 'list_triggers');
    expect(answer).toEqual(refusal(text(answer)));
    expect(text(answer)).toMatch(/argument project/);
  });
});

describe('many concurrent clients', () => {
  /** A client on its own connection: the projects in its scope, and those outside of it. */
  interface Lane {
    readonly wire: Wire;
    readonly client: string;
    readonly own: readonly string[];
    readonly others: readonly string[];
  }
  type Round = (lane: Lane, n: number) => Promise<string | null>;
  const ROUNDS: readonly Round[] = [
    async ({ wire, client, own }) => {
      const { projects } = await work<Slugs>(wire, client, 'list_projects');
      expect(projects.map(({ slug }) => slug)).toEqual(own);
      return null;
    },
    async ({ wire, client, own }) => {
      const { chats } = await work<{ chats: Chat[] }>(wire, client, 'list_chats');
      for (const chat of chats) expect(own).toContain(chat.project);
      return null;
    },
    async ({ wire, client, others }, n) => {
      const args = { project: others[n % others.length] };
      const answer = await callTool(wire, tokenOf(client), 'list_triggers', args);
      expect(answer).toEqual(denied('list_triggers'));
      return null;
    },
    async ({ wire, client, own }, n) => {
      const project = own[n % own.length];
      const input = { project, prompt: `Tenochtitlan ${client}`, name: client };
      const { sessionId } = await work<{ sessionId: string }>(wire, client, 'create_chat', input);
      return `${project}/${sessionId}`;
    },
  ];
  const COUNT = 26;

  /** Repeats the rounds and returns what was created. */
  async function go(lane: Lane): Promise<string[]> {
    const created: string[] = [];
    for (let n = 0; n < COUNT; n += 1) {
      const made = await (ROUNDS[n % ROUNDS.length] as Round)(lane, n);
      if (made !== null) created.push(made);
    }
    return created;
  }

  // No other test uses these clients.
  // proves: endpoint.stateless, config.client-id.identity, policy.enumerations
  it('each see only their own projects, and own what they start', async () => {
    const made = await Promise.all(
      LOAD.map(async (client, n) => {
        const own = [`p${n}`, `q${n}-a`, `q${n}-b`];
        const others = LOAD.map((_, m) => `p${m}`).filter((slug) => slug !== `p${n}`);
        // Two connections for each, so that its own calls overlap too.
        const lanes = [connect(), connect()].map((wire) => go({ wire, client, own, others }));
        return { client, own, created: (await Promise.all(lanes)).flat() };
      }),
    );
    const lines = await audit(LOAD, LOAD.length * 2 * COUNT);
    expect(lines.length).toBe(LOAD.length * 2 * COUNT);
    for (const { client, own, created } of made) {
      const mine = lines.filter(({ who }) => who === `client:${client}`);
      expect(mine).toHaveLength(2 * COUNT);
      for (const { outcome, project } of mine) {
        if (outcome === 'ok' && project !== null) expect(own).toContain(project);
      }
      const stored = await Promise.all(
        own.map(async (slug) => {
          const { body } = await server.get(`/api/projects/${slug}/chats?limit=200`);
          return (body as { chats: Chat[] }).chats;
        }),
      );
      const chats = stored.flat();
      expect(chats.map(({ project, sessionId }) => `${project}/${sessionId}`).sort()).toEqual(
        [...created].sort(),
      );
      for (const { by, name } of chats) {
        expect({ by, name }).toEqual({ by: `client:${client}`, name: client });
      }
    }
  });
});

describe('the log', () => {
  it('has one line for each call: client, operation, project, result and duration', async () => {
    const wire = connect();
    const before = (await audit(['alpha', 'bare'], 0)).length;
    const { sessionId } = await work<{ sessionId: string }>(wire, 'alpha', 'create_chat', {
      prompt: 'x',
    });
    await work(wire, 'alpha', 'read_chat', { session_id: sessionId });
    await work(wire, 'alpha', 'set_trigger', { name: 'now', interval: '1h', prompt: 'x' });
    await callTool(wire, tokenOf('alpha'), 'list_triggers', { project: 'beta' });
    await callTool(wire, tokenOf('alpha'), 'list_triggers', { project: 'Quetzalcoatl' });
    await callTool(wire, tokenOf('alpha'), 'set_trigger', { name: 'now', cron: 'Xochimilco' });
    await callTool(wire, tokenOf('bare'), 'set_trigger', { name: 'now' });
    await callTool(wire, tokenOf('bare'), 'Popocatepetl');
    await work(wire, 'bare', 'list_projects');
    const line = (
      who: string,
      operation: string | null,
      project: string | null,
      target: string | null,
      outcome: string,
    ) => ({
      level: 30,
      time: expect.any(String),
      msg: 'operation called',
      who: `client:${who}`,
      operation,
      project,
      target,
      outcome,
      durationMs: expect.any(Number),
    });
    const wanted = [
      line('alpha', 'create_chat', 'alpha', sessionId, 'ok'),
      line('alpha', 'read_chat', 'alpha', sessionId, 'ok'),
      line('alpha', 'set_trigger', 'alpha', 'now', 'ok'),
      line('alpha', 'list_triggers', 'beta', null, 'not_permitted'),
      line('alpha', 'list_triggers', null, null, 'not_permitted'),
      line('alpha', 'set_trigger', 'alpha', 'now', 'invalid'),
      line('bare', 'set_trigger', null, null, 'unknown_operation'),
      line('bare', null, null, null, 'unknown_operation'),
      line('bare', 'list_projects', null, null, 'ok'),
    ];
    // A denial is logged after its answer, so it may come after later calls.
    const lines = (await audit(['alpha', 'bare'], before + wanted.length)).slice(before);
    expect(lines).toHaveLength(wanted.length);
    expect(lines).toEqual(expect.arrayContaining(wanted));
  });

  // proves: config.credential.never-logged
  it('contains no token, prompt or text of a transcript, at any level', async () => {
    // It now contains all requests of this file, and all faults from the first byte on.
    const wire = connect();
    wire.send(requestOf({ token: tokenOf('all'), body: '{ "Quetzalcoatl' }));
    expect((await wire.answer()).status).toBe(400);
    wire.send(requestOf({ token: 'tok_home_Tenochtitlan_in_vain', body: 'Xochimilco' }));
    expect((await wire.answer()).status).toBe(401);
    await callTool(wire, tokenOf('all'), 'create_chat', { prompt: 'Quetzalcoatl', model: 7 });
    await audit(['all'], 1);
    const all = server.lines.map((line) => JSON.stringify(line)).join('\n') + server.stderr();
    for (const word of [...SECRET_WORDS, ...Object.values(TOKENS)]) {
      expect([word, all.includes(word)]).toEqual([word, false]);
    }
  });
});

describe('the tools of a keeper', () => {
  const tool = (name: string, input: object = {}): string =>
    `\`\`\`tool mcp__svc_manage__${name}\n${JSON.stringify(input)}\n\`\`\`\n`;
  const SETTINGS = [
    ...['SVC_SELF_MCP', 'SVC_SELF_MCP_WRITE', 'SVC_SELF_MCP_PROJECTS', 'SVC_HOOKS_MCP'],
  ];
  const clients = {
    free: { auth: { ref: 'env:FREE' }, scope: { allow: ['*'] } },
    shallow: { auth: { ref: 'env:SHALLOW' }, scope: { allow: ['*'], maxSpawnDepth: 0 } },
  };
  let own: OpenHome;
  let keepers: Running;
  beforeAll(async () => {
    own = openHome();
    const block = { publicUrl: 'https://svc.example.com', clients };
    own.write('svc.config.yaml', `managementApi: ${JSON.stringify(block)}\n`);
    own.write('projects/demo/project.yaml', 'name: Demo\n');
    const env = { FREE: tokenOf('free'), SHALLOW: tokenOf('shallow') };
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, 'true']));
    keepers = await own.serve({ ...env, ...settings });
  });
  afterAll(() => own.close());

  /** Has the keeper of a project carry out a prompt, started by a client, and returns its transcript. */
  async function turn(at: Running, client: string, project: string, prompt: string) {
    const wire = openWire(at.url);
    wires.push(wire);
    const chat = await work<{ sessionId: string }>(wire, client, 'create_chat', {
      project,
      prompt,
    });
    return until(async () => {
      const { body } = await at.get(`/api/projects/${project}/chats/${chat.sessionId}`);
      const { running, messages } = body as Chat & { messages: Message[] };
      return !running && messages;
    });
  }
  const results = (messages: readonly Message[]) =>
    messages
      .filter(({ kind }) => kind === 'tool_result')
      .map((message) => ({ isError: message.tool?.isError ?? false, text: message.text }));

  // proves: catalogue.keeper-names, versions.one-toolset
  it('are the same operations', async () => {
    const set = { name: 'mine', interval: '1h', prompt: 'Look.', enabled: true };
    const prompt = tool('set_trigger', set) + tool('list_triggers') + tool('list_chats');
    const messages = await turn(keepers, 'free', 'demo', prompt);
    const answers = results(messages);
    const names = messages[0]?.text.match(/(?<=mcp__svc_manage__)\w+/g);
    expect([...(names ?? [])].sort()).toEqual([...ALL].sort());
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(JSON.parse(answers[1]?.text ?? '')).toMatchObject({
      project: 'demo',
      count: 1,
      triggers: [{ name: 'mine', interval: '1h', armed: true }],
    });
    expect(JSON.parse(answers[2]?.text ?? '')).toMatchObject({ chats: [{ running: true }] });
    expect(own.read('projects/demo/project.yaml')).toMatch(/mine:/);
    const { body } = await keepers.get('/api/projects/demo/triggers/mine');
    expect(body).toMatchObject({ enabled: true });
    const line = await until(async () =>
      keepers.lines.find(({ operation }) => operation === 'set_trigger'),
    );
    expect(line).toMatchObject({ who: 'keeper', project: 'demo', target: 'mine', outcome: 'ok' });
  });

  // proves: scope.max-spawn-depth
  it('start turns only to the depth that the starting client may use', async () => {
    const below = tool('create_chat', { prompt: 'x', name: 'Below' });
    const [free] = results(await turn(keepers, 'free', 'demo', below));
    expect(JSON.parse(free?.text ?? '')).toMatchObject({ created: true, name: 'Below' });
    const [shallow] = results(await turn(keepers, 'shallow', 'demo', below));
    expect(shallow?.isError).toBe(true);
    const { body } = await keepers.get('/api/projects/demo/chats');
    const { chats } = body as { chats: Chat[] };
    expect(chats.filter(({ name }) => name === 'Below').map(({ by }) => by)).toEqual(['keeper']);
  });

  // proves: keeper-gates.triggers, policy.no-keeper-gates
  it('do not exist while the settings are off, which do not affect clients', async () => {
    const [answer] = results(await turn(server, 'all', 'alpha', tool('list_projects')));
    expect(answer?.isError).toBe(true);
    const wire = connect();
    expect(await work(wire, 'all', 'list_projects')).toMatchObject({ count: expect.any(Number) });
  });
});

describe('after a restart', () => {
  it('everything is still there', async () => {
    const wire = connect();
    const chats = await until(async () => {
      const page = await work<{ chats: Chat[] }>(wire, 'all', 'list_chats', { limit: 200 });
      return page.chats.every(({ running }) => !running) && page.chats;
    });
    const triggers = await work(wire, 'all', 'list_triggers', { project: 'made-here' });
    expect(chats.length).toBeGreaterThan(100);
    expect(await server.stop()).toBe(0);
    server = await home.serve(TOKENS);
    const again = connect();
    expect(await work(again, 'all', 'list_chats', { limit: 200 })).toMatchObject({ chats });
    expect(await work(again, 'all', 'list_triggers', { project: 'made-here' })).toEqual(triggers);
  });
});
