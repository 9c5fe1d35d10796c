import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { definitionHash } from '@svc/engine';
import type { Caller } from '@svc/ops';
import { OPERATION_NAMES } from '@svc/records';
import fc from 'fast-check';
import { ALL, callAs, client, outcomeOf } from './calls.ts';
import { scheduled, type World, withWorld } from './harness.ts';

const denial = (name: string) =>
  `not_permitted: not permitted: operation ${name} is outside this client's scope`;

/** Projects demo, secret and open-1, with a chat in demo and one in secret. */
function withProjects(test: (world: World, chats: Chats) => Promise<void>): Promise<void> {
  return withWorld(scheduled(), async (world) => {
    world.write('secret/project.yaml', scheduled());
    world.write('open-1/project.yaml', scheduled());
    const chatIn = async (project: string): Promise<string> => {
      const before = world.runtime.turns.length;
      const made = await callAs(world.ops, ALL, 'create_chat', { prompt: 'Look.', project });
      if (!made.ok) throw new Error(made.error.message);
      (await world.until(() => world.runtime.turns[before])).end();
      return made.value['sessionId'] as string;
    };
    await test(world, { demo: await chatIn('demo'), secret: await chatIn('secret') });
  });
}

interface Chats {
  readonly demo: string;
  readonly secret: string;
}

const ONLY_DEMO = client({ allow: ['*'], projects: ['demo'] });
const NOT_SECRET = client({ allow: ['*'], denyProjects: ['secret'] });

const TRIGGER = { name: 'nightly' };
const SET = { name: 'mine', interval: '1h', prompt: 'x' };
const BY_PROJECT: Readonly<Record<string, object>> = {
  list_chats: {},
  create_chat: { prompt: 'x' },
  list_triggers: {},
  set_trigger: SET,
  remove_trigger: TRIGGER,
  run_trigger: TRIGGER,
};
const BY_CHAT: Readonly<Record<string, object>> = {
  read_chat: {},
  fork_chat: { prompt: 'x' },
  send_message: { prompt: 'x' },
  fork_chat_batch: { prompts: 'x' },
  archive_chat: {},
  unarchive_chat: {},
};

describe('the scope of a client', () => {
  it('covers every operation in these tables', () => {
    const covered = [...Object.keys(BY_PROJECT), ...Object.keys(BY_CHAT)];
    expect([...covered, 'list_projects', 'create_project'].sort()).toEqual(
      [...OPERATION_NAMES].sort(),
    );
  });

  // proves: policy.in-operations
  it('denies every operation on a project outside it, whether or not there is one', () =>
    withProjects(async ({ ops, runtime, read }) => {
      const file = read('secret/project.yaml');
      const turns = runtime.turns.length;
      for (const caller of [
        ONLY_DEMO,
        client({ allow: ['*'], denyProjects: ['secret', 'gone'] }),
      ]) {
        for (const [name, args] of Object.entries(BY_PROJECT)) {
          for (const project of ['secret', 'gone']) {
            const result = await callAs(ops, caller, name, { ...args, project });
            expect(outcomeOf(result)).toBe(denial(name));
          }
        }
      }
      expect(runtime.turns).toHaveLength(turns);
      expect(read('secret/project.yaml')).toBe(file);
      expect((await ops.chats.list('secret', {})) as object).toMatchObject({
        value: { chats: [{ archived: false }] },
      });
    }));

  // proves: policy.named-targets
  it('denies a chat of such a project by its id alone, with the answer for an unknown one', () =>
    withProjects(async ({ ops }, chats) => {
      const unknown = [newId(), 'nope', `${chats.secret} `, chats.secret.toUpperCase()];
      const places = [{}, { project: 'demo' }, { project: 'secret' }];
      const wishes = [chats.secret, ...unknown].flatMap((session_id) =>
        places.map((place) => ({ ...place, session_id })),
      );
      for (const caller of [ONLY_DEMO, NOT_SECRET]) {
        for (const [name, args] of Object.entries(BY_CHAT)) {
          for (const wish of wishes) {
            const result = await callAs(ops, caller, name, { ...args, ...wish });
            expect(outcomeOf(result)).toBe(denial(name));
          }
        }
      }
    }));

  it('reports what does not exist to a client that reaches everything', () =>
    withProjects(async ({ ops }, chats) => {
      for (const [name, args] of Object.entries(BY_CHAT)) {
        const none = await callAs(ops, ALL, name, { ...args, session_id: newId() });
        expect(outcomeOf(none)).toBe('not_found: There is no such chat.');
        const elsewhere = { ...args, session_id: chats.demo, project: 'secret' };
        const wrong = await callAs(ops, ALL, name, elsewhere);
        expect(outcomeOf(wrong)).toBe('not_found: There is no such chat.');
      }
      for (const [name, args] of Object.entries(BY_PROJECT)) {
        const none = await callAs(ops, ALL, name, { ...args, project: 'gone' });
        expect(outcomeOf(none)).toBe('not_found: There is no such project.');
      }
    }));

  // proves: policy.enumerations
  it('filters what is enumerated', () =>
    withProjects(async ({ ops }) => {
      const seen = async (caller: Caller) => {
        const projects = await callAs(ops, caller, 'list_projects');
        const chats = await callAs(ops, caller, 'list_chats', { include_archived: true });
        if (!projects.ok || !chats.ok) throw new Error('refused');
        return [
          (projects.value['projects'] as { slug: string }[]).map(({ slug }) => slug),
          (chats.value['chats'] as { project: string }[]).map(({ project }) => project).sort(),
        ];
      };
      expect(await seen(ALL)).toEqual([
        ['demo', 'open-1', 'secret'],
        ['demo', 'secret'],
      ]);
      expect(await seen(ONLY_DEMO)).toEqual([['demo'], ['demo']]);
      expect(await seen(NOT_SECRET)).toEqual([['demo', 'open-1'], ['demo']]);
      expect(await seen(client({ projects: ['open-*'] }))).toEqual([['open-1'], []]);
      expect(await seen(client({ projects: [] }))).toEqual([[], []]);
      expect(await seen(client({ projects: ['s?cret', '[a-z]*', 'se*t'] }))).toEqual([[], []]);
    }));

  const SPELLINGS = [
    './secret',
    'secret/',
    'secret/.',
    'demo/../secret',
    '../projects/secret',
    'SECRET',
    'Secret',
    'sec%72et',
    '%73ecret',
    'secret%2f',
    'secret\0',
    '\0secret',
    'secret ',
    ' secret',
    'secret\n',
    '\tsecret',
    'secret.',
    'ｓecret',
    'secre\u0301t',
    'secret\u200b',
    '/secret',
    '\\secret',
    '.',
    '..',
  ];

  // proves: policy.named-targets
  it.each(SPELLINGS)('lets no other spelling of a denied project pass: %j', (project) =>
    withProjects(async ({ ops, read, runtime }, chats) => {
      const file = read('secret/project.yaml');
      const turns = runtime.turns.length;
      for (const caller of [NOT_SECRET, client({ allow: ['*'], projects: ['demo', 'open-*'] })]) {
        for (const [name, args] of Object.entries(BY_PROJECT)) {
          const result = await callAs(ops, caller, name, { ...args, project });
          expect([name, result.ok]).toEqual([name, false]);
        }
        for (const [name, args] of Object.entries(BY_CHAT)) {
          const named = { ...args, session_id: chats.secret, project };
          const result = await callAs(ops, caller, name, named);
          expect([name, result.ok]).toEqual([name, false]);
        }
      }
      expect(read('secret/project.yaml')).toBe(file);
      expect(runtime.turns).toHaveLength(turns);
    }),
  );

  it('takes an empty project for none, which reaches no more than that', () =>
    withProjects(async ({ ops }, chats) => {
      for (const [name, args] of Object.entries(BY_PROJECT)) {
        const { project: _, ...none } = { ...args, project: '' };
        const [empty, without] = [{ ...none, project: '' }, none].map((given) =>
          callAs(ops, NOT_SECRET, name, given),
        );
        expect((await empty)?.ok).toBe((await without)?.ok);
        expect(JSON.stringify(await empty)).not.toContain('secret');
      }
      for (const [name, args] of Object.entries(BY_CHAT)) {
        const named = { ...args, session_id: chats.secret, project: '' };
        expect(outcomeOf(await callAs(ops, NOT_SECRET, name, named))).toBe(denial(name));
      }
    }));

  // proves: policy.named-targets
  it('lets no other name of the folder pass either', () =>
    withProjects(async (world) => {
      symlinkSync(join(world.root, 'secret'), join(world.root, 'alias'));
      for (const [name, args] of Object.entries(BY_PROJECT)) {
        const result = await callAs(world.ops, NOT_SECRET, name, { ...args, project: 'alias' });
        expect(outcomeOf(result)).toBe(denial(name));
      }
      const listed = await callAs(world.ops, NOT_SECRET, 'list_projects');
      expect(listed).toMatchObject({ value: { count: 2 } });
    }));

  it('never reaches a project that its own rule does not name, whatever is asked for', () =>
    withProjects(async ({ ops }, chats) => {
      const word = fc.constantFrom('demo', 'secret', 'open-1', 'open-2', 'gone', './secret', 'a*');
      const pattern = fc.constantFrom('*', 'demo', 'secret', 'open-*', 's*', 'se*t', 'sec?et', '');
      const lists = fc.record({
        projects: fc.array(pattern, { maxLength: 3 }),
        denyProjects: fc.array(pattern, { maxLength: 2 }),
      });
      const covers = (patterns: readonly string[], slug: string) =>
        patterns.some((one) =>
          /^[^*]*\*$/.test(one) ? slug.startsWith(one.slice(0, -1)) : one === slug,
        );
      await fc.assert(
        fc.asyncProperty(lists, word, fc.boolean(), async (scope, project, byChat) => {
          const caller = client(scope);
          const reach = (slug: string) =>
            covers(scope.projects, slug) && !covers(scope.denyProjects, slug);
          const result = byChat
            ? await callAs(ops, caller, 'read_chat', { session_id: chats.secret })
            : await callAs(ops, caller, 'list_triggers', { project });
          const slug = byChat ? 'secret' : project;
          const exists = ['demo', 'secret', 'open-1'].includes(slug);
          expect(result.ok).toBe(reach(slug) && exists);
          if (!reach(slug)) expect(result).toMatchObject({ error: { code: 'not_permitted' } });
        }),
        { numRuns: 60 },
      );
    }));

  it('decides which project is meant when none is named', () =>
    withProjects(async ({ ops }) => {
      const where = async (scope: object) => {
        const result = await callAs(ops, client(scope), 'list_triggers');
        return result.ok ? result.value['project'] : result.error.message;
      };
      expect(await where({ projects: ['demo'] })).toBe('demo');
      expect(await where({ projects: ['open-*', 'demo'] })).toBe('demo');
      expect(await where({ projects: ['open-*'] })).toBe('open-1');
      expect(await where({ denyProjects: ['s*', 'demo'] })).toBe('open-1');
      expect(await where({ projects: ['demo', 'secret'] })).toContain(
        'Specify the argument project',
      );
      expect(await where({ projects: ['*'] })).toContain('Specify the argument project');
      expect(await where({ projects: [] })).toContain('Specify the argument project');
      expect(await where({ projects: ['gone'] })).toBe('There is no such project.');
      expect(await where({ projects: ['demo'], denyProjects: ['d*'] })).toContain('not permitted');
    }));

  it('requires the id of a chat from a caller outside any chat', () =>
    withProjects(async ({ ops }) => {
      for (const [name, args] of Object.entries(BY_CHAT)) {
        const result = await callAs(ops, ALL, name, args);
        expect(outcomeOf(result)).toMatch(/^invalid: .*session_id/);
      }
    }));

  it('bounds which projects may be created, and tells nothing about others', () =>
    withProjects(async ({ ops }) => {
      const caller = client({
        allow: ['*'],
        projects: ['open-*', 'demo'],
        denyProjects: ['open-x'],
      });
      const create = async (args: object) =>
        outcomeOf(await callAs(ops, caller, 'create_project', args));
      for (const args of [
        { name: 'secret' },
        { name: 'Gone' },
        { name: 'x', slug: 'secret' },
        { name: 'x', slug: 'open-x' },
        { name: 'x', slug: 'gone' },
      ]) {
        expect(await create(args)).toBe(denial('create_project'));
      }
      expect(await create({ name: 'Open 2' })).toBe('ok');
      // The name would get a number, and what has one is out of reach.
      expect(await create({ name: 'demo' })).toBe('conflict: A project named demo already exists.');
      expect(await create({ name: 'x', slug: '../x' })).toMatch(/^invalid: slug/);
    }));

  // proves: scope.max-spawn-depth, scope.max-spawn-depth.default
  it('bounds how deep turns of the client go', () =>
    withWorld('maxSpawnDepth: 2\n', async ({ ops, runtime, until }) => {
      const depth = async (scope: object, args: object = {}) => {
        const n = runtime.turns.length;
        const caller = client({ allow: ['*'], ...scope });
        const made = await callAs(ops, caller, 'create_chat', { prompt: 'x', ...args });
        if (!made.ok) throw new Error(made.error.message);
        const turn = await until(() => runtime.turns[n]);
        turn.end();
        return [turn.spec.capability.maxSpawnDepth, made.value['sessionId']] as const;
      };
      expect((await depth({}))[0]).toBe(2);
      expect((await depth({ maxSpawnDepth: 5 }))[0]).toBe(5);
      const [shallow, sessionId] = await depth({ maxSpawnDepth: 0 });
      expect(shallow).toBe(0);
      await callAs(ops, client({ allow: ['*'], maxSpawnDepth: 4 }), 'send_message', {
        session_id: sessionId,
        prompt: 'More.',
      });
      const turn = await until(() => runtime.turns[3]);
      expect(turn.spec.capability.maxSpawnDepth).toBe(0);
      turn.end();
    }));

  // proves: rights.chains
  it.each([
    ['sets it twice', 'set_trigger', { prompt: 'b' }],
    ['removes it', 'remove_trigger', {}],
  ])('bounds a trigger also where the client %s at once', (_, operation, change) =>
    withWorld('maxSpawnDepth: 3\n', async ({ ops, store, projects }) => {
      const caller = client({ allow: ['*'], projects: ['demo'], maxSpawnDepth: 1 });
      const set = { name: 'esc', interval: '1h', prompt: 'a', enabled: true };
      const other = { ...(operation === 'set_trigger' ? set : { name: 'esc' }), ...change };
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([
          callAs(ops, caller, 'set_trigger', set),
          callAs(ops, caller, operation, other),
        ]);
        const record = (await projects.snapshot('demo'))?.file?.triggers.get('esc')?.record;
        if (record === undefined) continue;
        const hash = definitionHash(record);
        const bounds = await store.triggers.boundsOf({ project: 'demo', name: 'esc' }, hash);
        expect(bounds.map(({ maxSpawnDepth }) => maxSpawnDepth)).toEqual([1]);
      }
    }),
  );
});

describe('what is logged of calls', () => {
  it('is one line for each, without a word of what was said', () =>
    withProjects(async ({ ops, logger, until }, chats) => {
      const before = logger.lines.length;
      const secret = 'xyzzy';
      const calls: [Caller, string, object][] = [
        [ALL, 'send_message', { session_id: chats.demo, prompt: secret }],
        [ALL, 'set_trigger', { name: 'mine', interval: '1h', prompt: secret, project: 'demo' }],
        [ALL, 'read_chat', { session_id: chats.demo }],
        [NOT_SECRET, 'read_chat', { session_id: chats.secret }],
        [NOT_SECRET, 'read_chat', { session_id: secret, project: secret }],
        [NOT_SECRET, 'list_triggers', { project: 'secret' }],
        [ALL, secret, { [secret]: secret }],
        [ALL, 'list_projects', { [secret]: secret }],
        [client({}), 'create_chat', { prompt: secret }],
        [ALL, 'list_chats', { project: 'demo' }],
        [ALL, 'read_chat', { session_id: chats.demo, [secret]: secret }],
      ];
      for (const [caller, name, args] of calls) await callAs(ops, caller, name, args);
      await until(() => logger.lines.length >= before + calls.length);
      const lines = logger.lines
        .slice(before)
        .filter(({ message }) => message === 'operation called');
      const texts = lines.map(({ level, fields: { durationMs, ...rest } }) =>
        JSON.stringify([level, rest]),
      );
      const expected = [
        ['send_message', 'demo', chats.demo, 'ok'],
        ['set_trigger', 'demo', 'mine', 'ok'],
        ['read_chat', 'demo', chats.demo, 'ok'],
        ['read_chat', 'secret', chats.secret, 'not_permitted'],
        ['read_chat', null, null, 'not_found'],
        ['list_triggers', 'secret', null, 'not_permitted'],
        [null, null, null, 'unknown_operation'],
        ['list_projects', null, null, 'invalid'],
        ['create_chat', null, null, 'unknown_operation'],
        ['list_chats', 'demo', null, 'ok'],
        ['read_chat', 'demo', chats.demo, 'invalid'],
      ].map(([operation, project, target, outcome]) =>
        JSON.stringify(['info', { who: 'client:ci', operation, project, target, outcome }]),
      );
      // A denial is noted after its answer.
      expect([...texts].sort()).toEqual(expected.sort());
      expect(JSON.stringify(logger.lines)).not.toContain(secret);
    }));
});
