import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import type { Actor } from '@svc/records';
import { arming, ending, key, opening, slot, T0, withStore } from './harness.ts';

const MINUTE = 60_000;
const user: Actor = { kind: 'user', id: null };
const fresh = () => ({
  fresh: { id: newId(), key, cause: 'manual' as const, by: user, claimedAt: T0 },
});

describe('the life of a turn', () => {
  it('writes chat, turn, messages and run together', () =>
    withStore(async ({ turns, runs, chats }) => {
      const begun = opening({ run: fresh() });
      expect(await turns.open(begun)).toBe(true);
      const [run] = (await runs.list('demo', { limit: 1 })).runs;
      expect(run).toMatchObject({ state: 'queued', by: 'user', sessionId: begun.sessionId });
      expect((await chats.get(begun.sessionId))?.chat).toMatchObject({
        running: true,
        messageCount: 1,
        agentName: 'trigger-demo-nightly',
      });
      expect(await turns.queued()).toHaveLength(1);
    }));

  it('keeps the event that started it, to the letter', () =>
    withStore(async ({ turns }) => {
      const data = { chat: { name: '\u202e"`\n</x>', messages: 3 }, list: [null, 1.5] };
      const context = { event: 'onArchive', project: 'demo', data } as const;
      const begun = opening({ context });
      const plain = opening();
      await turns.openAll([begun, plain]);
      expect((await turns.get(begun.turnId))?.context).toEqual(context);
      expect((await turns.get(plain.turnId))?.context).toBeNull();
    }));

  it('starts once and ends once', () =>
    withStore(async ({ turns, runs }) => {
      const begun = opening({ run: fresh() });
      await turns.open(begun);
      expect(await turns.start(begun.turnId, T0 + 1, T0 + 2, 'n')).toBe(true);
      expect(await turns.start(begun.turnId, T0 + 1, T0 + 2, 'n')).toBe(false);
      const ended = await turns.end(begun.turnId, ending, T0 + 10);
      expect(await turns.end(begun.turnId, { ...ending, outcome: 'failed' }, T0)).toBeNull();
      const [run] = (await runs.list('demo', { limit: 1 })).runs;
      expect(ended).toEqual({ endsPause: false, run });
      expect(run).toMatchObject({
        state: 'ended',
        outcome: 'succeeded',
        turns: 2,
        toolCalls: 1,
        toolErrors: 1,
        sandbox: ending.sandbox,
        network: ending.network,
        runtime: 'native',
        model: 'playbook',
        cost: null,
        startedAt: '2026-03-01T09:00:00.001Z',
        endedAt: '2026-03-01T09:00:00.010Z',
      });
    }));

  // proves: nodes.outage-slots
  it('make the run of a slot as late as they begin', () =>
    withStore(async ({ turns, runs, claims }) => {
      await claims.arm([arming(T0)]);
      const claim = { ...slot(T0 + MINUTE), claimedAt: T0 + MINUTE + 7, lateMs: 7 };
      const [verdict] = await claims.claim([claim]);
      const runId = verdict?.won === true ? verdict.runId : '';
      const begun = opening({ run: { claimed: runId } });
      await turns.open(begun);
      const lateMs = async () => (await runs.get('demo', runId))?.lateMs;
      expect(await lateMs()).toBe(7);
      await turns.start(begun.turnId, T0 + MINUTE + 27_000, T0 + 2 * MINUTE, 'n');
      expect(await lateMs()).toBe(27_000);
      const asked = opening({ run: fresh() });
      await turns.open(asked);
      await turns.start(asked.turnId, T0 + MINUTE, T0 + 2 * MINUTE, 'n');
      expect((await runs.list('demo', { limit: 9 })).runs.map((run) => run.lateMs)).toEqual(
        expect.arrayContaining([27_000, null]),
      );
    }));

  it('binds a claimed run to its turn, and leaves one that has ended alone', () =>
    withStore(async ({ claims, runs, turns, chats }) => {
      await claims.arm([arming(T0)]);
      const verdicts = await claims.claim([slot(T0 + 60_000), slot(T0 + 120_000)]);
      const [first, second] = verdicts.map((verdict) => (verdict.won ? verdict.runId : ''));
      expect((await runs.unstarted()).map((run) => run.id)).toEqual([first, second]);
      expect(await turns.open(opening({ run: { claimed: String(first) } }))).toBe(true);
      await runs.endUnstarted(String(second), 'cancelled', 'Deleted.', T0);
      const late = opening({ run: { claimed: String(second) } });
      expect(await turns.open(late)).toBe(false);
      expect(await chats.get(late.sessionId)).toBeNull();
      expect(await runs.unstarted()).toEqual([]);
    }));

  it('numbers messages from 1 without gaps and pages them', () =>
    withStore(async ({ turns, chats }) => {
      const begun = opening();
      await turns.open(begun);
      for (const text of ['one', 'two', 'three']) {
        const message = { role: 'assistant', kind: 'text', text, tool: null } as const;
        await turns.append(begun.turnId, begun.sessionId, [message], T0 + 1);
      }
      const newest = await chats.messages(begun.sessionId, { limit: 2 });
      expect(newest.messages.map((message) => [message.seq, message.text])).toEqual([
        [3, 'two'],
        [4, 'three'],
      ]);
      expect(newest.next).toBe(3);
      const older = await chats.messages(begun.sessionId, { limit: 9, cursor: 3 });
      expect(older.messages.map(({ seq }) => seq)).toEqual([1, 2]);
      expect(older.next).toBeNull();
      expect(await chats.messages(begun.sessionId, { limit: 9, cursor: 1 })).toEqual({
        messages: [],
        next: null,
      });
    }));

  it('tells what follows a message, oldest first, within the same bounds', () =>
    withStore(async ({ turns, chats }) => {
      const begun = opening();
      await turns.open(begun);
      const { messages: before } = await chats.messages(begun.sessionId, { limit: 10 });
      for (const size of [1, 5, 4, 3]) {
        const text = 'x'.repeat(size * 1024 * 1024);
        const message = { role: 'assistant', kind: 'text', text, tool: null } as const;
        await turns.append(begun.turnId, begun.sessionId, [message], T0 + 1);
      }
      const first = before.length + 1;
      const newer = async (after: number, limit: number) => {
        const { messages, next } = await chats.newerMessages(begun.sessionId, { after, limit });
        return [messages.map(({ seq }) => seq), next];
      };
      expect(await newer(first - 1, 1)).toEqual([[first], first]);
      expect(await newer(first - 1, 9)).toEqual([[first, first + 1], first + 1]);
      expect(await newer(first + 1, 9)).toEqual([[first + 2, first + 3], null]);
      expect(await newer(first + 2, 1)).toEqual([[first + 3], null]);
      expect(await newer(first + 3, 9)).toEqual([[], null]);
    }));

  it('ends a page of messages at 8 MiB, but never before its first message', () =>
    withStore(async ({ turns, chats }) => {
      const begun = opening();
      await turns.open(begun);
      for (const size of [5, 9, 3, 3]) {
        const text = 'x'.repeat(size * 1024 * 1024);
        const message = { role: 'assistant', kind: 'text', text, tool: null } as const;
        await turns.append(begun.turnId, begun.sessionId, [message], T0 + 1);
      }
      const pages: number[][] = [];
      let cursor: number | null = Number.MAX_SAFE_INTEGER;
      while (cursor !== null) {
        const { messages, next }: Awaited<ReturnType<typeof chats.messages>> = await chats.messages(
          begun.sessionId,
          { limit: 10, cursor },
        );
        pages.push(messages.map(({ seq }) => seq));
        cursor = next;
      }
      expect(pages).toEqual([[4, 5], [3], [1, 2]]);
    }));

  it('knows who asked for a cancel', () =>
    withStore(async ({ turns }) => {
      const begun = opening();
      await turns.open(begun);
      await turns.requestCancel(begun.turnId, user, T0);
      expect((await turns.get(begun.turnId))?.cancelRequested).toBe(true);
    }));
});

describe('chats', () => {
  // proves: events.archive
  it('archives once and stores one event for it', () =>
    withStore(async ({ turns, chats, events }) => {
      const begun = opening();
      await turns.open(begun);
      expect(await chats.archive(begun.sessionId, user, T0, null)).toBe(true);
      expect(await chats.archive(begun.sessionId, user, T0, null)).toBe(false);
      expect(await chats.archive(newId(), user, T0, null)).toBe(false);
      expect((await chats.get(begun.sessionId))?.chat).toMatchObject({
        archived: true,
        archivedBy: 'user',
      });
      expect(await events.waiting('demo', 10)).toMatchObject([
        { sessionId: begun.sessionId, payload: { messages: 1 } },
      ]);
      expect(await chats.unarchive(begun.sessionId)).toBe(true);
      expect(await chats.unarchive(begun.sessionId)).toBe(false);
    }));

  it('lists by newest activity, page by page, and counts what it leaves out', () =>
    withStore(async ({ turns, chats }) => {
      const all = [1, 2, 3, 4].map((n) => opening({ at: T0 + n }));
      for (const one of all) await turns.open(one);
      await chats.archive(all[0]?.sessionId ?? '', user, T0, null);
      const first = await chats.list({ projects: ['demo'], includeArchived: false, limit: 2 });
      const rest = await chats.list({
        projects: ['demo'],
        includeArchived: false,
        limit: 2,
        cursor: first.next ?? '',
      });
      const ids = [...first.chats, ...rest.chats].map((chat) => chat.sessionId);
      expect(ids).toEqual([all[3], all[2], all[1]].map((one) => one?.sessionId));
      expect([first.omittedArchived, rest.next]).toEqual([1, null]);
    }));

  it('copies the transcript into a fork and leaves the source alone', () =>
    withStore(async ({ turns, chats }) => {
      const begun = opening();
      await turns.open(begun);
      const { chat } = opening();
      if (chat === null) throw new Error('no chat');
      await chats.fork(begun.sessionId, { ...chat, forkedFrom: begun.sessionId }, T0);
      const copy = await chats.messages(chat.sessionId, { limit: 10 });
      expect(copy.messages.map((message) => message.text)).toEqual(['Do it.']);
      expect((await chats.get(chat.sessionId))?.chat.messageCount).toBe(1);
      expect((await chats.get(begun.sessionId))?.chat.messageCount).toBe(1);
    }));

  // proves: run.session.resume
  it('keeps the session of a resuming trigger until it is archived or the trigger forgotten', () =>
    withStore(async ({ turns, chats, triggers }) => {
      const begun = opening({ owner: key });
      await turns.open(begun);
      const owned = () => chats.ownedBy('demo', 'trigger', 'nightly');
      expect(await owned()).toEqual({ sessionId: begun.sessionId, runtime: 'native' });
      await chats.archive(begun.sessionId, user, T0, null);
      expect(await owned()).toBeNull();
      await chats.unarchive(begun.sessionId);
      await triggers.forget(key);
      expect(await owned()).toBeNull();
    }));
});

describe('listing runs', () => {
  it('gives the newest of each trigger, whatever others have', () =>
    withStore(async ({ runs, claims }) => {
      const other = { ...key, source: 'schedule' } as const;
      const elsewhere = { ...key, project: 'other' };
      await claims.arm([arming(T0)]);
      const ids = new Map<string, string[]>();
      for (let n = 0; n < 5; n += 1) {
        for (const owner of [key, other, elsewhere]) {
          const id = newId();
          const known = ids.get(owner.project + owner.source) ?? [];
          ids.set(owner.project + owner.source, [id, ...known]);
          const run = { id, key: owner, cause: 'manual' as const, by: user, claimedAt: T0 + n };
          await runs.addEnded(run, 'failed', 'No prompt file.');
        }
      }
      const recent = await runs.recent('demo', 3);
      expect([...recent.keys()].sort()).toEqual(['schedule/nightly', 'trigger/nightly']);
      const own = recent.get('trigger/nightly') ?? [];
      expect(own.map(({ id }) => id)).toEqual(ids.get('demotrigger')?.slice(0, 3));
      const at = new Date(T0 + 4).toISOString();
      const reason = 'No prompt file.';
      expect(own[0]).toEqual({ id: own[0]?.id, state: 'ended', outcome: 'failed', reason, at });
      expect((await runs.recent('demo', 9)).get('schedule/nightly')).toHaveLength(5);
    }));

  it('filters and pages newest first', () =>
    withStore(async ({ runs }) => {
      const ids: string[] = [];
      for (const [n, outcome] of (['failed', 'failed', 'cancelled'] as const).entries()) {
        const id = newId();
        ids.push(id);
        const run = { id, key, cause: 'manual' as const, by: user, claimedAt: T0 + n * 1000 };
        await runs.addEnded(run, outcome, 'No prompt file.');
      }
      const page = await runs.list('demo', { limit: 2 });
      expect(page.runs.map((run) => run.id)).toEqual([ids[2], ids[1]]);
      expect(page.next).toBe(ids[1]);
      const rest = await runs.list('demo', { limit: 2, cursor: page.next ?? '' });
      expect(rest).toMatchObject({ runs: [{ id: ids[0] }], next: null });
      const failed = await runs.list('demo', { limit: 9, outcomes: ['failed'] });
      expect(failed.runs).toHaveLength(2);
      const either = await runs.list('demo', { limit: 9, outcomes: ['failed', 'cancelled'] });
      expect(either.runs).toHaveLength(3);
      const since = await runs.list('demo', { limit: 9, from: '2026-03-01T09:00:01.000Z' });
      expect(since.runs).toHaveLength(2);
      expect((await runs.list('other', { limit: 9 })).runs).toEqual([]);
    }));

  it('lists and finds those of all projects that may be seen', () =>
    withStore(async ({ runs }) => {
      const ids: string[] = [];
      for (const [n, project] of ['demo', 'other', 'demo', 'secret', 'other'].entries()) {
        const id = newId();
        ids.push(id);
        const own = { ...key, project };
        const run = { id, key: own, cause: 'manual' as const, by: user, claimedAt: T0 + n * 1000 };
        await runs.addEnded(run, n === 0 ? 'failed' : 'cancelled', 'No prompt file.');
      }
      const slugs = new Set(['demo', 'other']);
      const idsOf = async (filter: object) => {
        const { runs: some, next } = await runs.listAll({ slugs, limit: 9, ...filter });
        return { found: some.map(({ id }) => ids.indexOf(id)), next: ids.indexOf(next ?? '') };
      };
      expect(await idsOf({})).toEqual({ found: [4, 2, 1, 0], next: -1 });
      expect(await idsOf({ limit: 1 })).toEqual({ found: [4], next: 4 });
      expect(await idsOf({ limit: 3, cursor: ids[4] })).toEqual({ found: [2, 1, 0], next: -1 });
      expect(await idsOf({ outcomes: ['failed'] })).toEqual({ found: [0], next: -1 });
      expect(await idsOf({ outcomes: ['succeeded', 'failed'] })).toMatchObject({ found: [0] });
      expect(await idsOf({ from: '2026-03-01T09:00:02.000Z' })).toMatchObject({ found: [4, 2] });
      expect(await idsOf({ slugs: new Set() })).toEqual({ found: [], next: -1 });
      expect((await runs.find(ids[3] ?? ''))?.project).toBe('secret');
      expect(await runs.find(newId())).toBeNull();
    }));
});
