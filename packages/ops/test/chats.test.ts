import { describe, expect, it } from '@jest/globals';
import { type ChangeFeed, createChangeFeed, type FeedItem, USER } from '@svc/ops';
import { NO_TRIGGERS, scheduled, type World, withWorld } from './harness.ts';

const PROMPT = '# Look around\nAnd tell.';

async function textsOfPages(ops: World['ops'], sessionId: string): Promise<string[]> {
  const texts: string[] = [];
  for (let query: { cursor?: string } | null = {}; query !== null; ) {
    const page = await ops.chats.get('demo', sessionId, { limit: 2, ...query });
    if (!page.ok) throw new Error(page.error.message);
    texts.unshift(...page.value.messages.map(({ text }) => text));
    query = page.value.next === null ? null : { cursor: page.value.next };
  }
  return texts;
}

describe('chats', () => {
  it('start as the keeper with a first turn, take messages, and can be read', () =>
    withWorld('keeper: { permissionMode: plan }\n', async ({ ops, runtime, until }) => {
      const made = await ops.chats.create(USER, 'demo', { prompt: PROMPT });
      if (!made.ok) throw new Error(made.error.message);
      const { sessionId } = made.value;
      expect(made.value).toMatchObject({ name: 'Look around', by: 'user', running: true });
      const turn = await until(() => runtime.turns[0]);
      expect(turn.spec.capability).toMatchObject({ runsAs: 'keeper', permissionMode: 'plan' });
      expect(turn.spec.capability.tools).not.toContain('mcp__svc_manage__list_triggers');
      turn.say('I see.');
      turn.end();
      await ops.chats.send(USER, 'demo', sessionId, 'And now?');
      (await until(() => runtime.turns[1])).end('failed', 'No idea.');
      const chat = await until(async () => {
        const got = await ops.chats.get('demo', sessionId, {});
        return got.ok && !got.value.chat.running ? got.value : null;
      });
      expect(chat.messages.filter(({ role }) => role !== 'system').map(({ text }) => text)).toEqual(
        [PROMPT, 'I see.', 'And now?'],
      );
      expect(chat.messages.at(-1)?.text).toBe('This turn failed: No idea.');
    }));

  it('are read page by page, each cursor from the page after', () =>
    withWorld(NO_TRIGGERS, async ({ ops, runtime, until }) => {
      const made = await ops.chats.create(USER, 'demo', { prompt: PROMPT });
      const sessionId = made.ok ? made.value.sessionId : '';
      const turn = await until(() => runtime.turns[0]);
      for (const text of ['one', 'two', 'three']) turn.say(text);
      turn.end();
      await until(async () => {
        const got = await ops.chats.get('demo', sessionId, {});
        return got.ok && !got.value.chat.running;
      });
      const texts = await textsOfPages(ops, sessionId);
      const whole = await ops.chats.get('demo', sessionId, {});
      expect(texts.length).toBeGreaterThan(3);
      expect(whole).toMatchObject({ value: { next: null } });
      expect(whole.ok && whole.value.messages.map(({ text }) => text)).toEqual(texts);
      for (const cursor of ['0', '-1', 'x', '1e3', '']) {
        expect(await ops.chats.get('demo', sessionId, { cursor })).toMatchObject({
          error: { code: 'invalid', issues: [{ path: 'cursor' }] },
        });
      }
    }));

  it('are archived once, refuse messages then, and come back', () =>
    withWorld(NO_TRIGGERS, async ({ ops, store }) => {
      const made = await ops.chats.create(USER, 'demo', { prompt: PROMPT });
      const sessionId = made.ok ? made.value.sessionId : '';
      for (const _ of [1, 2]) {
        expect(await ops.chats.archive(USER, 'demo', sessionId)).toMatchObject({
          value: { archived: true },
        });
      }
      expect(
        (await store.events.list('demo', { event: 'onArchive', limit: 9 })).events,
      ).toHaveLength(1);
      expect(await ops.chats.send(USER, 'demo', sessionId, 'x')).toMatchObject({
        error: { code: 'conflict' },
      });
      await ops.chats.unarchive('demo', sessionId);
      expect((await ops.chats.send(USER, 'demo', sessionId, 'x')).ok).toBe(true);
    }));

  it('are copied by a fork, which continues independently', () =>
    withWorld(NO_TRIGGERS, async ({ ops, runtime, until }) => {
      const made = await ops.chats.create(USER, 'demo', { prompt: PROMPT });
      const sessionId = made.ok ? made.value.sessionId : '';
      (await until(() => runtime.turns[0])).end();
      const fork = await ops.chats.fork(USER, 'demo', sessionId, { prompt: 'Try this.' });
      expect(fork).toMatchObject({ value: { forkedFrom: sessionId, running: true } });
      const turn = await until(() => runtime.turns[1]);
      expect(turn.spec.prompt.author).toBe('Try this.');
      const silent = await ops.chats.fork(USER, 'demo', sessionId, {});
      expect(silent).toMatchObject({ value: { running: false } });
    }));

  it('are not found under another project, and prompts may not be blank', () =>
    withWorld(NO_TRIGGERS, async ({ ops, write }) => {
      write('other/project.yaml', NO_TRIGGERS);
      const made = await ops.chats.create(USER, 'demo', { prompt: PROMPT });
      const sessionId = made.ok ? made.value.sessionId : '';
      for (const id of [sessionId, 'nonsense', '../x']) {
        expect(await ops.chats.get('other', id, {})).toMatchObject({
          error: { code: 'not_found' },
        });
      }
      for (const blank of [
        await ops.chats.create(USER, 'demo', { prompt: ' \n' }),
        await ops.chats.send(USER, 'demo', sessionId, ''),
      ]) {
        expect(blank).toMatchObject({ error: { code: 'invalid', issues: [{ path: 'prompt' }] } });
      }
    }));
});

describe('projects', () => {
  it('are created under a slug of their own', () =>
    withWorld(NO_TRIGGERS, async ({ ops, read }) => {
      const slugs: unknown[] = [];
      for (const name of ['My Project: "A"!', 'My project a', 'Überraschung']) {
        const made = await ops.projects.create({ name });
        slugs.push(made.ok && made.value.slug);
        expect(made.ok && made.value.name).toBe(name);
      }
      expect(slugs).toEqual(['my-project-a', 'my-project-a-2', 'uberraschung']);
      expect(read('my-project-a/project.yaml')).toContain('name:');
      expect(await ops.projects.create({ name: 'x', slug: 'demo' })).toMatchObject({
        error: { code: 'conflict' },
      });
      expect(await ops.projects.create({ name: 'x', slug: '../x' })).toMatchObject({
        error: { code: 'invalid', issues: [{ path: 'slug' }] },
      });
      expect((await ops.projects.list()).map(({ slug }) => slug)).toContain('uberraschung');
    }));
});

describe('the change feed', () => {
  const change = (id: string) => ({ kind: 'run', project: 'demo', id }) as const;
  const idsOf = (items: FeedItem[]) => items.map((item) => ('reset' in item ? 'reset' : item.id));
  const listen = (feed: ChangeFeed, after: string | null): FeedItem[] => {
    const items: FeedItem[] = [];
    feed.subscribe(after, (item) => items.push(item));
    return items;
  };

  it('replays what was missed, or says that everything must be fetched again', () => {
    const feed = createChangeFeed({ name: 'x', remember: 3 });
    const first = listen(feed, null);
    for (const id of ['a', 'b', 'c', 'd', 'e']) feed.publish(change(id));
    expect(idsOf(first)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const after = (n: number) => idsOf(listen(feed, first[n]?.eventId ?? ''));
    expect(after(4)).toEqual([]);
    expect(after(2)).toEqual(['d', 'e']);
    expect(after(1)).toEqual(['c', 'd', 'e']);
    expect(after(0)).toEqual(['reset']);
    expect(idsOf(listen(feed, 'other-1'))).toEqual(['reset']);
    expect(idsOf(listen(feed, 'x-99'))).toEqual(['reset']);
  });
});

describe('cancelling the turn of a chat', () => {
  const idle = async ({ ops }: World, sessionId: string) => {
    const got = await ops.chats.get('demo', sessionId, {});
    return got.ok && !got.value.chat.running ? got.value.messages : null;
  };

  // proves: chats.cancel
  it('ends the one that runs, then the one that waits, and is refused when there is none', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const { ops, runtime, until } = world;
      const made = await ops.chats.create(USER, 'demo', { prompt: PROMPT });
      const sessionId = made.ok ? made.value.sessionId : '';
      const { spec } = await until(() => runtime.turns[0]);
      await ops.chats.send(USER, 'demo', sessionId, 'Second.');
      await ops.chats.send(USER, 'demo', sessionId, 'Third.');
      const cancel = () => ops.chats.cancel(USER, 'demo', sessionId);
      expect(await cancel()).toEqual({
        ok: true,
        value: { project: 'demo', sessionId, turnId: spec.turnId, runId: null },
      });
      const second = await until(() => runtime.turns[1]);
      expect(second.spec.prompt.author).toBe('Second.');
      second.end();
      const third = await until(() => runtime.turns[2]);
      expect((await cancel()).ok).toBe(true);
      const messages = await until(() => idle(world, sessionId));
      const notices = messages.filter(({ kind }) => kind === 'notice').map(({ text }) => text);
      expect(notices.filter((text) => text.startsWith('Cancelled'))).toEqual([
        'Cancelled by a user.',
        'Cancelled by a user.',
      ]);
      expect(third.spec.prompt.author).toBe('Third.');
      expect(await cancel()).toMatchObject({
        error: { code: 'conflict', message: 'This chat has no running or queued turn.' },
      });
    }));

  it('takes out one that waits for a place, and it never starts', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const { ops, runtime, until } = world;
      for (const prompt of ['one', 'two']) await ops.chats.create(USER, 'demo', { prompt });
      await until(() => runtime.turns.length === 2);
      const made = await ops.chats.create(USER, 'demo', { prompt: 'three' });
      const sessionId = made.ok ? made.value.sessionId : '';
      expect((await ops.chats.cancel(USER, 'demo', sessionId)).ok).toBe(true);
      expect(await until(() => idle(world, sessionId))).toMatchObject([
        {},
        {},
        {},
        { kind: 'notice' },
      ]);
      expect(runtime.turns).toHaveLength(2);
    }));

  it('ends the run that the turn belongs to, which says by whom', () =>
    withWorld(scheduled(), async ({ ops, runtime, until, runs }) => {
      const fired = await ops.triggers.run(USER, 'demo', 'nightly');
      if (!fired.ok) throw new Error(fired.error.message);
      const { sessionId, runId } = fired.value;
      await until(() => runtime.turns[0]);
      expect(await ops.chats.cancel(USER, 'demo', sessionId)).toMatchObject({ value: { runId } });
      const ended = await until(async () => {
        const run = (await runs()).find(({ id }) => id === runId);
        return run?.state === 'ended' ? run : null;
      });
      expect(ended).toMatchObject({
        outcome: 'cancelled',
        reason: 'Cancelled by a user.',
      });
    }));
});
