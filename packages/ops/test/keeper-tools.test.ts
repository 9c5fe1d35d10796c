import { describe, expect, it } from '@jest/globals';
import { type KeeperGates, USER } from '@svc/ops';
import { callAs, client } from './calls.ts';
import { NO_TRIGGERS, type World, withWorld } from './harness.ts';

const OFF: KeeperGates = { read: false, write: false, projects: false, hooks: false };
const READ = { ...OFF, read: true };
const WRITE = { ...READ, write: true };
const HOOKS = { ...WRITE, hooks: true };
const ALL = { ...HOOKS, projects: true };

const READING = ['list_projects', 'list_chats', 'read_chat'];
const WRITING = [
  'create_chat',
  'fork_chat',
  'send_message',
  'fork_chat_batch',
  'archive_chat',
  'unarchive_chat',
];
const TRIGGERS = ['list_triggers', 'set_trigger', 'remove_trigger', 'run_trigger'];

const PREFIX = 'mcp__svc_manage__';

/** Starts a turn of the keeper in the project demo, and holds it. */
async function keeperTurn({ ops, runtime, until }: World) {
  const n = runtime.turns.length;
  const made = await ops.chats.create(USER, 'demo', { prompt: 'Look.' });
  if (!made.ok) throw new Error(made.error.message);
  return held(await until(() => runtime.turns[n]));
}

async function firedTurn({ ops, runtime, until }: World, name: string) {
  const n = runtime.turns.length;
  const fired = await ops.triggers.run(USER, 'demo', name);
  if (!fired.ok) throw new Error(fired.error.message);
  return held(await until(() => runtime.turns[n]));
}

function held(turn: World['runtime']['turns'][number]) {
  const { toolset } = turn.spec;
  return {
    ...turn,
    tools: (toolset?.tools ?? []).map(({ name }) => name.slice(PREFIX.length)),
    async call(name: string, args: object = {}) {
      if (toolset === null) throw new Error('There is no toolset.');
      const result = await toolset.call(PREFIX + name, args, new AbortController().signal);
      return result.isError ? result.text : (JSON.parse(result.text) as Record<string, unknown>);
    },
  };
}

const denied = (name: string) => `not permitted: operation ${name} is outside this client's scope`;

describe('the tools of a keeper', () => {
  // proves: catalogue.keeper-names, keeper-gates.triggers, run-trigger.gated, policy.in-operations
  it.each<[string, KeeperGates, string, string[]]>([
    ['none', OFF, NO_TRIGGERS, []],
    ['write without read', { ...OFF, write: true, hooks: true, projects: true }, NO_TRIGGERS, []],
    ['read', READ, NO_TRIGGERS, READING],
    ['read and triggers without write', { ...READ, hooks: true }, NO_TRIGGERS, READING],
    ['write', WRITE, NO_TRIGGERS, [...READING, ...WRITING]],
    [
      'write and projects',
      { ...WRITE, projects: true },
      NO_TRIGGERS,
      [...READING, 'create_project', ...WRITING],
    ],
    ['write and triggers', HOOKS, NO_TRIGGERS, [...READING, ...WRITING, ...TRIGGERS]],
    [
      'triggers of the project',
      WRITE,
      'hooksMcpEnabled: true',
      [...READING, ...WRITING, ...TRIGGERS],
    ],
    ['triggers of the project, without write', READ, 'hooksMcpEnabled: true', READING],
    [
      'a project that says no',
      HOOKS,
      'hooksMcpEnabled: false',
      [...READING, ...WRITING, ...TRIGGERS],
    ],
    ['all', ALL, NO_TRIGGERS, [...READING, 'create_project', ...WRITING, ...TRIGGERS]],
  ])('are those that the gates open: %s', (_, gates, yaml, names) =>
    withWorld(
      yaml,
      async (world) => {
        const turn = await keeperTurn(world);
        expect(turn.tools).toEqual(names);
        const listed = turn.spec.capability.tools.filter((name) => name.startsWith(PREFIX));
        expect(listed.sort()).toEqual(names.map((name) => PREFIX + name).sort());
        turn.end();
      },
      { gates },
    ),
  );

  it('are only those that a trigger lists, and that are open', () =>
    withWorld(
      `triggers:
  one: { trigger: { type: webhook }, run: { prompt: x } }
  two: { trigger: { type: event, on: onArchive }, run: { prompt: x, tools: [Read, ${PREFIX}list_chats, ${PREFIX}create_project] } }
  three: { trigger: { type: event, on: onArchive }, run: { prompt: x } }
`,
      async (world) => {
        const turn = await firedTurn(world, 'two');
        expect(turn.tools).toEqual(['list_chats']);
        expect(turn.spec.capability.tools).toEqual(['Read', `${PREFIX}list_chats`]);
        expect(await turn.call('read_chat')).toBe('Unknown tool: read_chat');
        turn.end();
        const bare = await firedTurn(world, 'three');
        expect(bare.spec.toolset).toBeNull();
        bare.end();
      },
      { gates: HOOKS },
    ));

  // proves: set-trigger.project
  it('default to the own project and chat, and write elsewhere only with the gate for it', () =>
    withWorld(
      NO_TRIGGERS,
      async (world) => {
        world.write('other/project.yaml', 'triggers: {}\n');
        const turn = await keeperTurn(world);
        const { sessionId } = turn.spec;
        expect(await turn.call('list_triggers')).toMatchObject({ project: 'demo' });
        expect(await turn.call('list_triggers', { project: 'other' })).toMatchObject({ count: 0 });
        expect(await turn.call('archive_chat')).toMatchObject({ archived: true, sessionId });
        const set = { name: 'mine', interval: '1h', prompt: 'x' };
        expect(await turn.call('set_trigger', set)).toMatchObject({ project: 'demo' });
        expect(await turn.call('set_trigger', { ...set, project: 'other' })).toBe(
          denied('set_trigger'),
        );
        expect(await turn.call('create_chat', { prompt: 'x', project: 'other' })).toBe(
          denied('create_chat'),
        );
        expect(await turn.call('create_project', { name: 'x' })).toBe(
          'Unknown tool: create_project',
        );
        turn.end();
      },
      { gates: HOOKS },
    ));

  it('write in other projects and create some with that gate', () =>
    withWorld(
      NO_TRIGGERS,
      async (world) => {
        world.write('other/project.yaml', 'triggers: {}\n');
        const turn = await keeperTurn(world);
        const set = { name: 'mine', interval: '1h', prompt: 'x', project: 'other' };
        expect(await turn.call('set_trigger', set)).toMatchObject({ project: 'other' });
        expect(await turn.call('create_project', { name: 'New one' })).toMatchObject({
          slug: 'new-one',
        });
        turn.end();
      },
      { gates: ALL },
    ));

  // proves: run.max-spawn-depth.bounds
  it('start turns one level down, marked as theirs, until the limit', () =>
    withWorld(
      'maxSpawnDepth: 2\n',
      async (world) => {
        const { runtime, until, ops, store } = world;
        const top = await keeperTurn(world);
        const made = (await top.call('create_chat', { prompt: 'Go on.' })) as { sessionId: string };
        const child = held(await until(() => runtime.turns[1]));
        expect(child.spec).toMatchObject({ depth: 1, capability: { maxSpawnDepth: 2 } });
        const chat = await ops.chats.get('demo', made.sessionId, {});
        expect(chat).toMatchObject({ value: { chat: { by: 'keeper' } } });
        // Up to two turns of one project run at a time, so the first one makes room.
        top.end();
        await child.call('create_chat', { prompt: 'And on.' });
        const last = held(await until(() => runtime.turns[2]));
        expect(last.spec.depth).toBe(2);
        expect(last.tools).not.toContain('create_chat');
        expect(last.tools).toContain('archive_chat');
        expect(await last.call('create_chat', { prompt: 'x' })).toBe('Unknown tool: create_chat');
        expect(await store.nodes.own()).toHaveLength(2);
        child.end();
        last.end();
      },
      { gates: WRITE },
    ));
});

describe('a turn that a client brought about', () => {
  it('reaches no project that the client does not, nor do the turns that it starts', () =>
    withWorld(
      'maxSpawnDepth: 2\n',
      async (world) => {
        const { ops, runtime, until } = world;
        world.write('secret/project.yaml', 'name: Secret\n');
        const caller = client({ allow: ['*'], projects: ['demo'] });
        const made = await callAs(ops, caller, 'create_chat', { prompt: 'x' });
        if (!made.ok) throw new Error(made.error.message);
        const first = held(await until(() => runtime.turns[0]));
        const check = async (turn: ReturnType<typeof held>) => {
          expect(await turn.call('list_projects')).toMatchObject({ count: 1 });
          for (const name of ['list_triggers', 'list_chats']) {
            expect(await turn.call(name, { project: 'secret' })).toBe(denied(name));
          }
          expect(await turn.call('create_project', { name: 'secret-2' })).toBe(
            denied('create_project'),
          );
        };
        await check(first);
        await first.call('create_chat', { prompt: 'y' });
        const second = held(await until(() => runtime.turns[1]));
        await check(second);
        first.end();
        second.end();
        // A user who continues the same chat stays within its bounds; another client adds its own.
        const other = client({ allow: ['*'], denyProjects: ['demo-2'] }, 'other');
        const session_id = made.value['sessionId'];
        await callAs(ops, other, 'send_message', { session_id, prompt: 'z' });
        const third = held(await until(() => runtime.turns[2]));
        expect(third.spec.capability.bounds).toEqual([
          { projects: ['demo'], denyProjects: [], maxSpawnDepth: null },
          { projects: ['*'], denyProjects: ['demo-2'], maxSpawnDepth: null },
        ]);
        await check(third);
        third.end();
        const free = await keeperTurn(world);
        expect(free.spec.capability).not.toHaveProperty('bounds');
        expect(await free.call('list_projects')).toMatchObject({ count: 2 });
        free.end();
      },
      { gates: ALL },
    ));

  it('leaves its bounds with the triggers that it sets, whatever fires them, until another user changes them', () =>
    withWorld(
      'maxSpawnDepth: 2\n',
      async (world) => {
        const { ops, runtime, until, clock, write, read } = world;
        world.write('secret/project.yaml', 'name: Secret\n');
        const caller = client({ allow: ['*'], projects: ['demo'], maxSpawnDepth: 0 });
        const sneak = {
          name: 'sneak',
          interval: '1m',
          prompt: 'x',
          session: 'resume',
          enabled: true,
        };
        const direct = (args: object) => callAs(ops, caller, 'set_trigger', args);
        expect(await direct({ ...sneak, max_spawn_depth: 1 })).toMatchObject({
          error: { message: 'max_spawn_depth must be at most 0, the limit of the client.' },
        });
        expect(await direct(sneak)).toMatchObject({
          value: { trigger: { maxSpawnDepth: null, capability: { maxSpawnDepth: 0 } } },
        });
        const fired = async (n: number) => {
          await clock.advance(60_000);
          const turn = held(await until(() => runtime.turns[n]));
          const seen = await turn.call('list_triggers', { project: 'secret' });
          const { maxSpawnDepth } = turn.spec.capability;
          turn.end();
          await until(async () => (await world.runs()).every(({ state }) => state === 'ended'));
          return [seen === denied('list_triggers'), maxSpawnDepth];
        };
        expect(await fired(0)).toEqual([true, 0]);
        // An edit by the same client keeps them, and so does one by a turn of its own.
        await direct({ name: 'sneak', prompt: 'y' });
        expect(await fired(1)).toEqual([true, 0]);
        await callAs(ops, caller, 'create_chat', { prompt: 'x' });
        const turn = held(await until(() => runtime.turns[2]));
        await turn.call('set_trigger', { name: 'sneak', prompt: 'z' });
        turn.end();
        expect(await fired(3)).toEqual([true, 0]);
        // A person who changes the file takes it over.
        write('demo/project.yaml', read('demo/project.yaml').replace('prompt: z', 'prompt: mine'));
        expect(await fired(4)).toEqual([false, 2]);
      },
      { gates: HOOKS },
    ));

  it('disables a trigger that it could not have set, and may omit unchanged fields', () =>
    withWorld(
      'maxSpawnDepth: 0\ntriggers:\n  live: { trigger: { type: schedule, interval: 1h }, run: { prompt: x, maxSpawnDepth: 2 }, enabled: true }\n',
      async (world) => {
        const { ops } = world;
        const caller = client({ allow: ['*'], projects: ['demo'], maxSpawnDepth: 1 });
        const off = await callAs(ops, caller, 'set_trigger', { name: 'live', enabled: false });
        expect(off).toMatchObject({ value: { trigger: { enabled: false } } });
        // A keeper is bounded by its project alone: it may set what fires later.
        const keeper = await keeperTurn(world);
        const on = { name: 'live', enabled: true, prompt: 'better' };
        expect(await keeper.call('set_trigger', on)).toMatchObject({ set: true });
        keeper.end();
      },
      { gates: HOOKS },
    ));
});

describe('a turn below another', () => {
  it('leaves the triggers that it sets no more levels of turns than it has left of a client', () =>
    withWorld(
      'maxSpawnDepth: 2\n',
      async (world) => {
        const { ops, runtime, until, clock } = world;
        const caller = client({ allow: ['*'], maxSpawnDepth: 1 });
        await callAs(ops, caller, 'create_chat', { prompt: 'x' });
        const top = held(await until(() => runtime.turns[0]));
        await top.call('create_chat', { prompt: 'y' });
        const child = held(await until(() => runtime.turns[1]));
        expect(child.spec).toMatchObject({ depth: 1, capability: { maxSpawnDepth: 1 } });
        const set = { name: 'deep', interval: '1m', prompt: 'x', enabled: true };
        expect(await child.call('set_trigger', { ...set, max_spawn_depth: 1 })).toContain(
          'max_spawn_depth must be at most 0, the limit of the client.',
        );
        await child.call('set_trigger', set);
        top.end();
        child.end();
        await clock.advance(60_000);
        const fired = held(await until(() => runtime.turns[2]));
        expect(fired.spec).toMatchObject({ depth: 0, capability: { maxSpawnDepth: 0 } });
        expect(fired.tools).not.toContain('create_chat');
        fired.end();
      },
      { gates: ALL },
    ));

  it('leaves them no more levels than it has itself, where it is an agent with listed tools', () =>
    withWorld(
      SCOPED,
      async (world) => {
        const { runtime, until } = world;
        const turn = await firedTurn(world, 'agent');
        await turn.call('run_trigger', { name: 'inner' });
        const child = held(await until(() => runtime.turns[1]));
        expect(child.spec).toMatchObject({ depth: 1, capability: { maxSpawnDepth: 1 } });
        const set = { name: 'n', interval: '1h', prompt: 'y', tools: 'Read', max_turns: 5 };
        expect(await child.call('set_trigger', { ...set, max_spawn_depth: 1 })).toContain(
          'max_spawn_depth exceeds 0, the limit of the calling agent.',
        );
        expect(await child.call('set_trigger', { ...set, max_spawn_depth: 0 })).toMatchObject({
          set: true,
        });
        turn.end();
        child.end();
      },
      { gates: HOOKS },
    ));
});

const SCOPED = `triggers:
  agent:
    trigger: { type: schedule, cron: "0 0 1 1 *" }
    run: { prompt: x, tools: [Read, ${PREFIX}set_trigger, ${PREFIX}run_trigger], maxTurns: 5, maxSpawnDepth: 1, permissionMode: acceptEdits }
    enabled: true
  keeper: { trigger: { type: schedule, interval: 1h }, run: { prompt: x, maxTurns: 5 }, enabled: false }
  wide: { trigger: { type: event, on: onArchive }, run: { prompt: x, tools: [Read, Bash], maxTurns: 5 }, enabled: false }
  small: { trigger: { type: event, on: onArchive }, run: { prompt: x, tools: [Read], maxTurns: 5 }, enabled: false }
  inner: { trigger: { type: event, on: onArchive }, run: { prompt: x, tools: [Read, ${PREFIX}set_trigger], maxTurns: 5, permissionMode: acceptEdits }, enabled: false }
`;

describe('an agent with listed tools', () => {
  it.each<[object, string | null]>([
    [{ name: 'n', interval: '1h', prompt: 'y', tools: 'Read', max_turns: 5 }, null],
    [
      { name: 'n', interval: '1h', prompt: 'y', tools: '', max_turns: 5 },
      'keeper with all of its tools',
    ],
    [{ name: 'n', interval: '1h', prompt: 'y', max_turns: 5 }, 'keeper with all of its tools'],
    [{ name: 'n', event: 'onArchive', prompt: 'y', max_turns: 5 }, null],
    [{ name: 'n', interval: '1h', prompt: 'y', tools: 'Read,Bash', max_turns: 5 }, 'Bash'],
    [{ name: 'n', interval: '1h', prompt: 'y', tools: 'Read' }, 'turns exceeds 5'],
    [
      { name: 'n', interval: '1h', prompt: 'y', tools: 'Read', max_turns: 5, max_spawn_depth: 2 },
      'max_spawn_depth exceeds 1,',
    ],
    [
      {
        name: 'n',
        interval: '1h',
        prompt: 'y',
        tools: 'Read',
        max_turns: 5,
        permission_mode: 'bypassPermissions',
      },
      'permission_mode exceeds acceptEdits,',
    ],
    [{ name: 'keeper', enabled: false }, null],
    [{ name: 'keeper', enabled: true }, 'keeper with all of its tools'],
    [{ name: 'keeper', prompt: 'Mine now.' }, 'keeper with all of its tools'],
    [{ name: 'wide', enabled: true }, 'Bash'],
    [{ name: 'small', enabled: true }, null],
  ])('sets by %j only what it may do itself', (args, words) =>
    withWorld(
      SCOPED,
      async (world) => {
        const before = world.read('demo/project.yaml');
        const turn = await firedTurn(world, 'agent');
        const result = await turn.call('set_trigger', args);
        if (words === null) expect(result).toMatchObject({ set: true });
        else expect(result).toContain(words);
        if (words !== null) expect(world.read('demo/project.yaml')).toBe(before);
        turn.end();
      },
      { gates: HOOKS },
    ),
  );

  it('starts and continues chats with no more permissions than its own', () =>
    withWorld(
      `triggers:
  agent:
    trigger: { type: event, on: onArchive }
    run: { prompt: x, tools: [Read, ${PREFIX}create_chat, ${PREFIX}send_message, ${PREFIX}fork_chat], maxTurns: 5, permissionMode: acceptEdits }
    enabled: true
keeper: { permissionMode: bypassPermissions }
`,
      async (world) => {
        const { runtime, until } = world;
        const chat = await keeperTurn(world);
        chat.end();
        const { sessionId: session_id } = chat.spec;
        const turn = await firedTurn(world, 'agent');
        await turn.call('create_chat', { prompt: 'x' });
        const made = await until(() => runtime.turns[2]);
        made.end();
        await turn.call('send_message', { session_id, prompt: 'x' });
        const sent = await until(() => runtime.turns[3]);
        sent.end();
        await turn.call('fork_chat', { session_id, prompt: 'x' });
        const forked = await until(() => runtime.turns[4]);
        forked.end();
        for (const { spec } of [made, sent, forked]) {
          expect(spec.capability).toMatchObject({
            runsAs: 'agent',
            tools: turn.spec.capability.tools,
            permissionMode: 'acceptEdits',
            maxTurns: 5,
          });
        }
        turn.end();
      },
      { gates: WRITE },
    ));

  it('fires only triggers that may do no more than itself', () =>
    withWorld(
      SCOPED,
      async (world) => {
        const turn = await firedTurn(world, 'agent');
        expect(await turn.call('run_trigger', { name: 'keeper' })).toContain('keeper with all');
        expect(await turn.call('run_trigger', { name: 'wide' })).toContain('Bash');
        expect(world.runtime.turns).toHaveLength(1);
        expect(await turn.call('run_trigger', { name: 'small' })).toMatchObject({ ran: true });
        const child = await world.until(() => world.runtime.turns[1]);
        expect(child.spec).toMatchObject({ depth: 1, capability: { maxSpawnDepth: 1 } });
        child.end();
        turn.end();
      },
      { gates: HOOKS },
    ));
});

describe('agentTriggersStartDisabled', () => {
  const yaml = `agentTriggersStartDisabled: true
triggers:
  live: { trigger: { type: schedule, interval: 1h }, run: { prompt: x, tools: [Read] }, enabled: true }
`;
  const NEW = { name: 'mine', interval: '1h', prompt: 'x', tools: ['Read'], enabled: true };

  // proves: policy.agents-start-disabled
  it('keeps what the turn of an agent has created disabled until another caller enables it', () =>
    withWorld(
      yaml,
      async (world) => {
        const turn = await keeperTurn(world);
        const warning = {
          path: 'enabled',
          message: expect.stringContaining('only a person can enable'),
        };
        const off = { trigger: { enabled: false, armed: false }, warnings: [warning] };
        expect(await turn.call('set_trigger', NEW)).toMatchObject(off);
        expect(await turn.call('set_trigger', { name: 'mine', enabled: true })).toMatchObject(off);
        const again = await turn.call('set_trigger', { name: 'live', prompt: 'y' });
        expect(again).toMatchObject({ trigger: { enabled: true, prompt: 'y' } });
        expect(await turn.call('set_trigger', { name: 'live', enabled: false })).toMatchObject({
          trigger: { enabled: false },
        });
        expect(await turn.call('set_trigger', { name: 'live', enabled: true })).toMatchObject(off);
        const caller = client({ allow: ['*'] });
        const on = await callAs(world.ops, caller, 'set_trigger', { name: 'mine', enabled: true });
        expect(on).toMatchObject({ value: { trigger: { enabled: true } } });
      },
      { gates: HOOKS },
    ));

  it('is off unless it is set', () =>
    withWorld(
      yaml.replace('agentTriggersStartDisabled: true', 'name: Demo'),
      async (world) => {
        const turn = await keeperTurn(world);
        expect(await turn.call('set_trigger', NEW)).toMatchObject({ trigger: { enabled: true } });
      },
      { gates: HOOKS },
    ));
});
