import { describe, expect, it } from '@jest/globals';
import { createToolPolicy } from '@svc/agent-runtime';
import { createBuiltInTools, createTaskTool } from '@svc/agent-runtime/testing';
import { type Result, SvcError } from '@svc/core';
import {
  CATALOGUE,
  type Caller,
  createTools,
  type Operations,
  TOOL_CATALOG,
  type ToolError,
  USER,
} from '@svc/ops';
import { MANAGE_PREFIX, OPERATION_NAMES } from '@svc/records';
import { createValidator } from '@svc/schema';
import { ALL, callAs, client, NEVER } from './calls.ts';
import { NO_TRIGGERS, scheduled, type World, withWorld } from './harness.ts';

type Value = Record<string, unknown>;

/** Calls, holds the result against the published schema, and returns it. */
async function call(
  { operations }: { operations: Operations },
  caller: Caller,
  name: string,
  args: object = {},
  signal = NEVER,
): Promise<Value> {
  const tools = createTools(operations);
  const result = await tools.call(caller, name, args, { signal });
  if (!result.ok) throw new Error(`${name}: ${result.error.code} ${result.error.message}`);
  const operation = tools.visible(caller).find((one) => one.name === name);
  const checked = createValidator(operation?.output as { type: 'object' })(result.value);
  expect(checked).toMatchObject({ ok: true });
  return result.value;
}

function refused(result: Result<object, ToolError>): { code: string; message: string } {
  if (result.ok) throw new Error(`It was not refused: ${JSON.stringify(result.value)}`);
  return result.error;
}

async function endTurn(world: World, n: number, words = 'Done.'): Promise<void> {
  const turn = await world.until(() => world.runtime.turns[n]);
  turn.say(words);
  turn.end();
}

async function newChat(world: World, caller = ALL, project = 'demo'): Promise<string> {
  const before = world.runtime.turns.length;
  const made = await call(world.ops, caller, 'create_chat', { prompt: 'Look.', project });
  await endTurn(world, before);
  await world.until(async () => {
    const list = await call(world.ops, ALL, 'list_chats', { project });
    return (list['chats'] as Value[]).every((chat) => chat['running'] === false);
  });
  return made['sessionId'] as string;
}

// What clients of the Model Context Protocol and model endpoints have been seen to refuse is not there.
function schemaFaults(schema: object, path: string, isRoot = true): string[] {
  const {
    type,
    properties = {},
    items,
  } = schema as {
    readonly type?: unknown;
    readonly properties?: Record<string, object>;
    readonly items?: object;
  };
  const refused = ['$ref', '$defs', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];
  const words = Object.keys(schema).filter((key) => refused.includes(key));
  const faults = words.map((word) => `${path} has ${word}`);
  if (typeof type !== 'string') faults.push(`${path} has no single type`);
  if (isRoot && type !== 'object') faults.push(`${path} is no object`);
  if (type === 'array' && items === undefined) faults.push(`${path} has no items`);
  const inner = Object.entries(properties).flatMap(([name, property]) => [
    ...(/^[A-Za-z0-9_-]{1,64}$/.test(name) ? [] : [`${path}.${name} has an unfit name`]),
    ...schemaFaults(property, `${path}.${name}`, false),
  ]);
  const ofItems = items === undefined ? [] : schemaFaults(items, `${path}[]`, false);
  return [...faults, ...inner, ...ofItems];
}

describe('schemas of tools', () => {
  // proves: tools.schemas.plain
  it('of /mcp, of keepers and of the native runtime are such that every client accepts them', () =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const tools = createTools(ops.operations).visible(ALL);
      expect(tools).toHaveLength(14);
      const all = [
        ...tools.map(({ name, input }) => ({ name: `mcp__svc_manage__${name}`, input })),
        ...[...createBuiltInTools().values(), createTaskTool()].map(({ name, inputSchema }) => ({
          ...{ name, input: inputSchema },
        })),
      ];
      expect(all.length).toBeGreaterThan(22);
      for (const { name, input } of all) {
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(schemaFaults(input, name)).toEqual([]);
      }
    }));

  // proves: tools.arguments.read
  it('take lists as text too, null and an empty text for what is left out, and numbers as text', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const { ops } = world;
      const set = (args: object) =>
        call(ops, ALL, 'set_trigger', { name: 'nightly', project: 'demo', ...args });
      const flat = async (args: object) => (await set(args))['trigger'] as Value;
      expect(
        await flat({
          ...{ cron: '0 3 * * *', prompt: 'Look.', model: 'm', max_turns: '7', enabled: 'false' },
          ...{ tools: '["Read","Grep"]', interval: null },
        }),
      ).toMatchObject({ tools: ['Read', 'Grep'], maxTurns: 7, enabled: false, model: 'm' });
      expect(await flat({ tools: ['Glob'], model: null, prompt: null })).toMatchObject({
        ...{ tools: ['Glob'], model: 'm', prompt: 'Look.' },
      });
      expect(await flat({ tools: 'Read, Edit', model: '' })).toMatchObject({
        ...{ tools: ['Read', 'Edit'], model: null },
      });
      const only = { ...ALL, scope: { ...ALL.scope, projects: ['demo'] } };
      const listed = await call(ops, only, 'list_triggers', { project: '' });
      expect(listed).toMatchObject({ project: 'demo', count: 1 });
      const chat = await newChat(world);
      for (const prompts of [['a', 'b'], 'a\nb', '["a","b"]']) {
        const before = world.runtime.turns.length;
        const args = { session_id: chat, prompts, name_prefix: '', model: '', project: null };
        expect(await call(ops, ALL, 'fork_chat_batch', args)).toMatchObject({ count: 2 });
        await endTurn(world, before);
        await endTurn(world, before + 1);
      }
      const copied = await call(ops, ALL, 'fork_chat', { session_id: chat, prompt: '' });
      expect(copied).not.toHaveProperty('prompt');
    }));
});

describe('the catalogue of operations', () => {
  it('is carried out in full, each with a policy, hints, schemas and words for a model', () =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const operations = createTools(ops.operations).visible(USER);
      expect(operations.map(({ name }) => name)).toEqual(OPERATION_NAMES);
      for (const operation of operations) {
        const { name, title, description, policy, input, output } = operation;
        expect(['reads', 'mutates', 'starts_turn']).toContain(policy.effect);
        expect(['enumerates', 'project', 'chat', 'new_project']).toContain(policy.target);
        expect(title.length).toBeGreaterThan(5);
        expect(description.length).toBeGreaterThan(80);
        expect(input).toMatchObject({ type: 'object', additionalProperties: false });
        expect(output).toMatchObject({ type: 'object', additionalProperties: false });
        for (const [key, property] of Object.entries(
          (input as { properties: Record<string, { description?: string }> }).properties,
        )) {
          expect([name, key, (property.description ?? '').length > 10]).toEqual([name, key, true]);
        }
      }
      for (const { name, policy } of operations) {
        const tool = TOOL_CATALOG.find((one) => one.name === `${MANAGE_PREFIX}${name}`);
        expect([name, tool?.dangerous]).toEqual([name, policy.effect !== 'reads']);
        const starts = policy.effect === 'starts_turn';
        expect([name, createToolPolicy(CATALOGUE).startsTurns(`${MANAGE_PREFIX}${name}`)]).toEqual([
          name,
          starts,
        ]);
      }
      const reading = operations.filter(({ policy }) => policy.effect === 'reads');
      expect(reading.map(({ name }) => name)).toEqual([
        'list_projects',
        'list_chats',
        'read_chat',
        'list_triggers',
      ]);
    }));

  it('shows a client only what its scope allows, always as the same list', () =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const names = (scope: object) =>
        ops.operations.visible(client(scope)).map(({ name }) => name as string);
      const reading = ['list_projects', 'list_chats', 'read_chat', 'list_triggers'];
      expect(names({}).sort()).toEqual([...reading].sort());
      expect(names({ allow: [] })).toEqual([]);
      expect(names({ allow: ['*'], deny: ['*_trigger*', 'create_*'] })).toContain('set_trigger');
      expect(names({ allow: ['*'], deny: ['create_*'] })).not.toContain('create_chat');
      expect(names({ allow: ['fork_chat_batch'] })).toEqual([]);
      expect(names({ allow: ['fork_chat*'] })).toEqual(['fork_chat', 'fork_chat_batch']);
      expect(names({ allow: ['fork_chat*'], deny: ['fork_chat'] })).toEqual([]);
      const caller = client({});
      expect(ops.operations.visible(caller)).toBe(ops.operations.visible(caller));
    }));

  // proves: policy.hidden.unknown
  it('answers for what is hidden as for what does not exist', () =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const reader = client({});
      for (const name of [
        'create_chat',
        'nope',
        '__proto__',
        'constructor',
        '',
        'list_projects ',
      ]) {
        const result = await createTools(ops.operations).call(reader, name, {}, { signal: NEVER });
        expect(refused(result)).toEqual({
          code: 'unknown_operation',
          message: `Unknown tool: ${name}`,
        });
      }
    }));
});

describe('the operations', () => {
  it('on projects list what there is and create what is new', () =>
    withWorld('name: Demo\narea: lab\n', async ({ ops, read }) => {
      expect(await call(ops, ALL, 'list_projects')).toEqual({
        count: 1,
        projects: [{ slug: 'demo', name: 'Demo', area: 'lab', status: 'active' }],
      });
      const made = await call(ops, ALL, 'create_project', {
        name: 'Órbita: two',
        summary: 'To look up.',
        status: 'idea',
      });
      expect(made).toEqual({ created: true, slug: 'orbita-two', name: 'Órbita: two' });
      expect(read('orbita-two/project.yaml')).toContain('summary: "To look up."');
      const again = await call(ops, ALL, 'create_project', { name: 'Órbita: two' });
      expect(again).toMatchObject({ slug: 'orbita-two-2' });
      const taken = await createTools(ops.operations).call(
        ALL,
        'create_project',
        { name: 'x', slug: 'demo' },
        { signal: NEVER },
      );
      expect(refused(taken).message).toBe('A project named demo already exists.');
    }));

  it('counts the messages of a chat as they are read, also those of a turn that is at work', () =>
    withWorld(NO_TRIGGERS, async ({ ops, store }) => {
      const made = await call(ops, ALL, 'create_chat', { prompt: 'Look around.' });
      const sessionId = made['sessionId'] as string;
      const { messages } = store.chats;
      Object.assign(store.chats, {
        async messages(...args: Parameters<typeof messages>) {
          const text = {
            role: 'assistant',
            kind: 'text',
            text: 'Still here.',
            tool: null,
          } as const;
          const turnId = (await messages(...args)).messages[0]?.turnId ?? '';
          await store.turns.append(turnId, sessionId, [text, text], 1);
          return messages(...args);
        },
      });
      const chat = await call(ops, ALL, 'read_chat', { session_id: sessionId });
      expect(chat['returned']).toBeGreaterThan(2);
      expect(chat['total']).toBe(chat['returned']);
    }));

  it('on chats start, read, continue, list, archive and bring back', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const { ops, until, runtime } = world;
      const made = await call(ops, ALL, 'create_chat', { prompt: 'Look around.', model: 'small' });
      const sessionId = made['sessionId'] as string;
      expect(made).toEqual({
        created: true,
        project: 'demo',
        sessionId,
        name: 'Look around.',
        model: 'small',
        prompt: 'Look around.',
      });
      await endTurn(world, 0, 'x'.repeat(3000));
      await until(async () => {
        const list = await call(ops, ALL, 'list_chats');
        return (list['chats'] as Value[])[0]?.['running'] === false;
      });
      const chat = await call(ops, ALL, 'read_chat', { session_id: sessionId, limit: '2' });
      expect(chat).toMatchObject({ project: 'demo', sessionId, total: 4, returned: 2 });
      const [asked, said] = chat['messages'] as { role: string; text: string }[];
      expect(asked).toMatchObject({ role: 'user', text: 'Look around.' });
      expect(said?.text).toBe(`${'x'.repeat(2000)} […cut: 1000 more characters]`);
      expect(
        await call(ops, ALL, 'send_message', { session_id: sessionId, prompt: 'More.' }),
      ).toEqual({ sent: true, project: 'demo', sessionId, prompt: 'More.' });
      (await until(() => runtime.turns[1])).end();
      const args = { session_id: sessionId };
      expect(await call(ops, ALL, 'archive_chat', args)).toMatchObject({ archived: true });
      expect(await call(ops, ALL, 'list_chats', { project: 'demo' })).toEqual({
        count: 0,
        omittedArchived: 1,
        project: 'demo',
        chats: [],
      });
      expect(await call(ops, ALL, 'list_chats', { include_archived: 'true' })).toMatchObject({
        count: 1,
        omittedArchived: 0,
        project: null,
        chats: [{ sessionId, archived: true }],
      });
      expect(await call(ops, ALL, 'unarchive_chat', args)).toMatchObject({ archived: false });
    }));

  it('list chats of several projects in pages, newest first', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      world.write('other/project.yaml', NO_TRIGGERS);
      for (const project of ['demo', 'other', 'demo']) {
        await newChat(world, ALL, project);
        await world.clock.advance(1000);
      }
      const first = await call(world.ops, ALL, 'list_chats', { limit: 2 });
      expect((first['chats'] as Value[]).map((chat) => chat['project'])).toEqual(['demo', 'other']);
      const rest = await call(world.ops, ALL, 'list_chats', { limit: 2, cursor: first['next'] });
      expect(rest).toMatchObject({ count: 1, chats: [{ project: 'demo' }] });
      expect(rest).not.toHaveProperty('next');
      for (const cursor of ['x', `${first['next']}x`, '2026~1']) {
        const wrong = await callAs(world.ops, ALL, 'list_chats', { cursor });
        expect(refused(wrong).message).toBe('cursor must be the next value of a previous page.');
      }
    }));

  // proves: config.client-id.identity
  it('stamp the client on chats, runs and messages', () =>
    withWorld(scheduled(), async (world) => {
      const { ops } = world;
      const sessionId = await newChat(world);
      const chat = await ops.chats.get('demo', sessionId, {});
      expect(chat).toMatchObject({ value: { chat: { by: 'client:ci' } } });
      const asked = chat.ok ? chat.value.messages.find(({ role }) => role === 'user') : null;
      expect(asked).toMatchObject({ by: 'client:ci' });
      const ran = await call(ops, ALL, 'run_trigger', { name: 'nightly' });
      expect(await world.runs()).toMatchObject([
        { id: ran['runId'], by: 'client:ci', cause: 'manual', sessionId: ran['sessionId'] },
      ]);
    }));

  it('fork a chat with and without a prompt', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const { ops, runtime, until } = world;
      const sessionId = await newChat(world);
      const silent = await call(ops, ALL, 'fork_chat', { session_id: sessionId });
      expect(silent).toEqual({
        forked: true,
        project: 'demo',
        sessionId: silent['sessionId'],
        from: sessionId,
        name: 'Look. (fork)',
      });
      const copy = await call(ops, ALL, 'read_chat', { session_id: silent['sessionId'] });
      expect((copy['messages'] as Value[]).at(-1)?.['text']).toBe('Done.');
      const forked = await call(ops, ALL, 'fork_chat', { session_id: sessionId, prompt: 'Go on.' });
      expect(forked).toMatchObject({ forked: true, from: sessionId, prompt: 'Go on.' });
      expect((await until(() => runtime.turns[1])).spec.sessionId).toBe(forked['sessionId']);
    }));

  it.each([
    ['a line each', 'One.\n\nTwo.\r\nThree.'],
    ['a JSON array in a text', '["One.", "Two.", "Three."]'],
    ['an array', ['One.', 'Two.', 'Three.']],
  ])('fork a batch given as %s', (_, prompts) =>
    withWorld(NO_TRIGGERS, async (world) => {
      const session_id = await newChat(world);
      const made = await call(world.ops, ALL, 'fork_chat_batch', { session_id, prompts });
      expect(made).toMatchObject({ count: 3, source: session_id });
      const forks = made['forks'] as { sessionId: string; prompt: string }[];
      expect(forks.map(({ prompt }) => prompt)).toEqual(['One.', 'Two.', 'Three.']);
      expect(new Set(forks.map(({ sessionId }) => sessionId)).size).toBe(3);
      const chats = await call(world.ops, ALL, 'list_chats', {});
      expect(chats['count']).toBe(4);
    }),
  );

  it('say that the disk is full when it is, and tell the log', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const message = 'The disk is full: free some space.';
      const fail = async (): Promise<never> => {
        throw new SvcError('unavailable', message);
      };
      Object.assign(world.store.turns, { open: fail, openAll: fail });
      const args = { prompt: 'Do it.', project: 'demo' };
      const result = await createTools(world.ops.operations).call(ALL, 'create_chat', args, {
        signal: NEVER,
      });
      expect(refused(result)).toEqual({ code: 'unavailable', message });
      expect(world.logger.lines).toContainEqual({
        level: 'warn',
        message: 'operation failed, service unavailable',
        fields: { operation: 'create_chat', error: message },
      });
    }));

  it('make all copies of a batch or none', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const session_id = await newChat(world);
      const openAll = world.store.turns.openAll;
      const open = world.store.turns;
      // The third of four cannot be written: its turn has the id of the first.
      open.openAll = async (openings) => {
        const [first] = openings;
        await openAll(openings.map((one, i) => (i === 2 && first ? { ...first } : one)));
      };
      const prompts = 'a\nb\nc\nd';
      const result = await createTools(world.ops.operations).call(
        ALL,
        'fork_chat_batch',
        { session_id, prompts },
        { signal: NEVER },
      );
      expect(refused(result).code).toBe('internal');
      open.openAll = openAll;
      expect((await call(world.ops, ALL, 'list_chats', {}))['count']).toBe(1);
      expect(world.runtime.turns).toHaveLength(1);
      const long = 'x'.repeat(262_145);
      const many = Array(21).fill('x');
      for (const wrong of ['', '\n \n', many, [1], '[1]', 'x\n'.repeat(21), ['x', ' '], long]) {
        const bad = await createTools(world.ops.operations).call(
          ALL,
          'fork_chat_batch',
          { session_id, prompts: wrong },
          { signal: NEVER },
        );
        expect(refused(bad)).toMatchObject({
          code: 'invalid',
          message: expect.stringMatching(/^prompts.* must /),
        });
      }
    }));

  // proves: list-triggers
  it('set a trigger field by field, list, run and remove it', () =>
    withWorld('# mine\n', async (world) => {
      const { ops, read, until, runtime } = world;
      const set = await call(ops, ALL, 'set_trigger', {
        name: 'report',
        cron: '0 3 * * *',
        timezone: 'UTC',
        prompt: 'Report.',
        tools: 'Read, Grep\nRead',
        max_turns: '7',
        enabled: 'true',
      });
      expect(set).toMatchObject({
        set: true,
        project: 'demo',
        trigger: {
          name: 'report',
          agentName: 'trigger-demo-report',
          type: 'schedule',
          cron: '0 3 * * *',
          interval: null,
          event: null,
          tools: ['Read', 'Grep'],
          maxTurns: 7,
          enabled: true,
          armed: true,
          nextFire: '2026-03-02T03:00:00.000Z',
          lastRunAt: null,
          capability: {
            runsAs: 'agent',
            tools: ['Read', 'Grep'],
            permissionMode: 'default',
            maxTurns: 7,
            maxSpawnDepth: 1,
          },
        },
      });
      expect(read('demo/project.yaml')).toContain('# mine');
      const edit = await call(ops, ALL, 'set_trigger', { name: 'report', interval: '90m' });
      expect(edit).toMatchObject({
        trigger: { cron: null, timezone: null, interval: '90m', prompt: 'Report.', enabled: true },
      });
      const cleared = await call(ops, ALL, 'set_trigger', { name: 'report', max_turns: '' });
      expect(cleared).toMatchObject({ trigger: { maxTurns: 30 } });
      const ran = await call(ops, ALL, 'run_trigger', { name: 'report' });
      expect(ran).toMatchObject({ ran: true, project: 'demo', name: 'report' });
      expect(ran).not.toHaveProperty('outcome');
      (await until(() => runtime.turns[0])).end('failed', 'No idea.');
      await until(async () => (await world.runs())[0]?.state === 'ended');
      expect(await call(ops, ALL, 'list_triggers', { project: 'demo' })).toMatchObject({
        project: 'demo',
        count: 1,
        triggers: [{ name: 'report', lastOutcome: 'failed', lastError: 'No idea.' }],
        invalid: [],
      });
      const args = { name: 'report' };
      expect(await call(ops, ALL, 'remove_trigger', args)).toMatchObject({ removed: true });
      expect(await call(ops, ALL, 'remove_trigger', args)).toEqual({
        removed: false,
        project: 'demo',
        name: 'report',
      });
      expect(await call(ops, ALL, 'remove_trigger', { name: 'a/b' })).toMatchObject({
        removed: false,
      });
    }));

  // proves: list-triggers
  it('set an invalid trigger, and list the invalid entries', () =>
    withWorld(
      'schedules:\n  old: { type: interval, interval: 1h, prompt: Tidy., enabled: true }\ntriggers:\n  bad: { trigger: { type: schedule }, run: { prompt: x } }\n  worse: 7\n',
      async ({ ops }) => {
        const list = await call(ops, ALL, 'list_triggers');
        expect(list).toMatchObject({
          count: 0,
          invalid: [{ name: 'bad' }, { name: 'worse' }],
          legacySchedules: [{ name: 'old', type: 'interval', interval: '1h', armed: true }],
        });
        const fixed = await call(ops, ALL, 'set_trigger', { name: 'bad', interval: '1h' });
        expect(fixed).toMatchObject({ trigger: { interval: '1h', prompt: 'x', enabled: false } });
      },
    ));

  // proves: set-trigger.cron-or-interval
  it.each([
    [{ cron: '* * * * *', interval: '1h', prompt: 'x' }, 'interval and cron are both given'],
    [{ cron: '* * * *', prompt: 'x' }, 'cron'],
    [{ interval: '1h' }, 'prompt or prompt_file is required.'],
    [{ prompt: 'x' }, 'type is missing. Set cron, interval or event.'],
    [{ type: 'schedule', prompt: 'x' }, 'cron or interval is required'],
    [{ interval: '1h', model: 'm' }, 'prompt or prompt_file is required'],
    [{ interval: '1h', prompt: 'x', tools: ['Nope'] }, 'Nope'],
    [{ interval: '1h', prompt: 'x', colour: 'red' }, 'colour is not an argument of this tool'],
    [{ interval: '1h', prompt: 'x', enabled: 'maybe' }, 'enabled must be a boolean'],
    [{ interval: '1h', prompt: 'x', max_turns: 0 }, 'max_turns must be at least 1'],
    [{ interval: '1h', prompt: 'x', max_turns: 'many' }, 'max_turns'],
    [{ interval: 1, prompt: 'x' }, 'interval must be a string'],
    [
      { interval: '1h', prompt: 'x', name: 'runtime' },
      'name must not be "runtime" for a new trigger',
    ],
    [{ interval: '1h', prompt: 'x', name: 'a/b' }, 'name'],
    [{ interval: '1h', prompt_file: '../x.md' }, 'prompt_file'],
  ])('refuse %j in words that name the argument', (args, words) =>
    withWorld(NO_TRIGGERS, async ({ ops, read }) => {
      const result = await createTools(ops.operations).call(
        ALL,
        'set_trigger',
        { name: 'report', ...args },
        { signal: NEVER },
      );
      expect(refused(result)).toMatchObject({ code: 'invalid' });
      expect(refused(result).message).toContain(words);
      expect(read('demo/project.yaml')).toBe(NO_TRIGGERS);
    }),
  );

  it.each<[string, object, string]>([
    [
      'list_projects',
      Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 1])),
      'The arguments must be at most 50.',
    ],
    ['set_trigger', { name: 'x', tools: Array(500_000).fill(1) }, 'tools must have at most 200'],
    ['set_trigger', { name: 'x', tools: 'Read,'.repeat(50_000) }, 'tools must have at most 1000'],
    ['list_projects', { project: 'nope' }, 'project is not an argument of this tool'],
    ['list_projects', { '': 1 }, '"" is not an argument of this tool. It takes none.'],
    [
      'create_chat',
      { project: 'demo', prompt: 'a\0b' },
      'prompt must not contain the character U+0000',
    ],
    ['create_chat', { project: 'demo', prompt: 'x', name: ' ' }, 'name must be one non-blank line'],
    [
      'create_chat',
      { project: 'demo', prompt: 'x', model: 'a\nb' },
      'model must be one non-blank line',
    ],
  ])('refuse %s briefly, however much is wrong', (name, args, words) =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const { code, message } = refused(await callAs(ops, ALL, name, args));
      expect([code, message.length < 200]).toEqual(['invalid', true]);
      expect(message).toContain(words);
    }),
  );

  it('wait for the end of a run as long as they are asked to', () =>
    withWorld(scheduled(), async (world) => {
      const { ops, runtime, until, clock } = world;
      const args = { name: 'nightly', wait_seconds: 60 };
      const ended = call(ops, ALL, 'run_trigger', args);
      (await until(() => runtime.turns[0])).end('failed', 'No.');
      expect(await ended).toMatchObject({ ran: true, outcome: 'failed', reason: 'No.' });
      const late = call(ops, ALL, 'run_trigger', { ...args, wait_seconds: '5' });
      await until(() => runtime.turns[1]);
      await clock.advance(5000);
      expect(await late).not.toHaveProperty('outcome');
      const gone = new AbortController();
      const left = call(ops, ALL, 'run_trigger', args, gone.signal);
      await until(async () => (await world.runs()).length >= 3);
      gone.abort();
      expect(await left).not.toHaveProperty('outcome');
      for (const wait_seconds of [601, -1, 1.5, 'soon']) {
        const wrong = { name: 'nightly', wait_seconds };
        const result = await createTools(ops.operations).call(ALL, 'run_trigger', wrong, {
          signal: NEVER,
        });
        expect(refused(result).message).toMatch(/^wait_seconds must/);
      }
    }));

  it('say in words why nothing was started', () =>
    withWorld('triggers:\n  hook: { trigger: { type: webhook }, run: { prompt: x } }\n', (world) =>
      (async () => {
        const run = (name: string) =>
          createTools(world.ops.operations).call(ALL, 'run_trigger', { name }, { signal: NEVER });
        expect(refused(await run('hok'))).toMatchObject({
          code: 'not_found',
          message: 'There is no trigger hok in the project demo. Did you mean hook?',
        });
        expect(refused(await run('hook'))).toMatchObject({ code: 'not_runnable' });
      })(),
    ));
});
