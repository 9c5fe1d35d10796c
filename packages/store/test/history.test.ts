import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import type { NewMessage } from '@svc/records';
import type { Store, TurnOpening } from '@svc/store';
import { ending, opening, T0, withStore } from './harness.ts';

const MANY = 1024 * 1024;

const said = (text: string): NewMessage => ({ role: 'assistant', kind: 'text', text, tool: null });
const called = (kind: 'tool_use' | 'tool_result', text = ''): NewMessage => ({
  role: kind === 'tool_use' ? 'assistant' : 'tool',
  kind,
  text,
  tool: { callId: 'c', name: 'Read' },
});

/** A turn in a chat, asked with a text; the first one makes the chat. */
function asked(text: string, sessionId?: string): TurnOpening {
  const messages = [{ role: 'user', kind: 'text', text, tool: null } as const];
  return opening(sessionId === undefined ? { messages } : { messages, sessionId, chat: null });
}

let now = T0;
const later = (): number => {
  now += 1000;
  return now;
};

async function run({ turns }: Store, { turnId, sessionId }: TurnOpening, ...answers: string[]) {
  await turns.start(turnId, later(), now + 60_000, 'node');
  await turns.append(turnId, sessionId, answers.map(said), later());
}

const end = ({ turns }: Store, { turnId }: TurnOpening) => turns.end(turnId, ending, later());

async function texts({ chats }: Store, sessionId: string, mostBytes = MANY): Promise<string[]> {
  return (await chats.history(sessionId, mostBytes)).map(({ text }) => text);
}

describe('the history of a chat', () => {
  // proves: texts.well-formed
  it('has no half characters, even of a database that has some', () =>
    withStore(async (store) => {
      const turn = asked('one?');
      await store.turns.open(turn);
      await run(store, turn, 'half \ud800', 'whole \u{1f600}');
      await end(store, turn);
      expect((await texts(store, turn.sessionId)).slice(-2)).toEqual([
        'half \ufffd',
        'whole \u{1f600}',
      ]);
    }));

  // proves: runtimes.history
  it('has the turns that have ended, in the order in which they ran', () =>
    withStore(async (store) => {
      const first = asked('one?');
      const { sessionId } = first;
      await store.turns.open(first);
      const second = asked('two?', sessionId);
      const third = asked('three?', sessionId);
      await run(store, first, 'one, slowly');
      await store.turns.open(second);
      await store.turns.open(third);
      await store.turns.append(first.turnId, sessionId, [said('one!')], later());
      expect(await texts(store, sessionId)).toEqual([]);
      await end(store, first);
      expect(await texts(store, sessionId)).toEqual(['one?', 'one, slowly', 'one!']);
      await run(store, second, 'two!');
      expect(await texts(store, sessionId)).toHaveLength(3);
      await end(store, second);
      await end(store, third);
      expect((await texts(store, sessionId)).slice(3)).toEqual(['two?', 'two!', 'three?']);
    }));

  it('keeps the newest turns whole, as many as there is room for', () =>
    withStore(async (store) => {
      const first = asked('a'.repeat(1000));
      await store.turns.open(first);
      await run(store, first, 'b'.repeat(1000));
      await end(store, first);
      const { sessionId } = first;
      const second = asked('c', sessionId);
      await store.turns.open(second);
      await run(store, second, 'd'.repeat(1000));
      await end(store, second);
      const lengths = async (most: number) =>
        (await texts(store, sessionId, most)).map(({ length }) => length);
      expect(await lengths(4000)).toEqual([1000, 1000, 1, 1000]);
      // The answer of the first turn would have room, but not without its question.
      expect(await lengths(2500)).toEqual([1, 1000]);
      expect(await lengths(1040)).toEqual([1000]);
      expect(await lengths(10)).toEqual([]);
    }));

  it('never begins with what a tool gave back', () =>
    withStore(async (store) => {
      const only = asked('go');
      await store.turns.open(only);
      await store.turns.start(only.turnId, later(), now + 60_000, 'node');
      const messages = [
        called('tool_use', 'x'.repeat(3000)),
        called('tool_result', 'r'),
        said('!'),
      ];
      await store.turns.append(only.turnId, only.sessionId, messages, later());
      await end(store, only);
      expect(await texts(store, only.sessionId, 1000)).toEqual(['!']);
    }));

  it('reaches over pages to the question of a turn that has waited long', () =>
    withStore(async (store) => {
      const first = asked('one?');
      const { sessionId } = first;
      const second = asked('two?', sessionId);
      await store.turns.open(first);
      await store.turns.open(second);
      await run(store, first, ...Array.from({ length: 700 }, (_, n) => `${n}`));
      await end(store, first);
      await run(store, second, 'two!');
      await end(store, second);
      expect(await texts(store, sessionId, 100)).toEqual(['two?', 'two!']);
    }));

  it('of a copy is what the source had ended when it was copied', () =>
    withStore(async (store) => {
      const first = asked('one?');
      await store.turns.open(first);
      await run(store, first, 'one!');
      await end(store, first);
      const second = asked('two?', first.sessionId);
      await store.turns.open(second);
      await run(store, second, 'two, half');
      const { chat } = opening();
      if (chat === null) throw new Error('no chat');
      const copy = { ...chat, sessionId: newId(), forkedFrom: first.sessionId };
      await store.chats.fork(first.sessionId, copy, later());
      await end(store, second);
      expect(await texts(store, copy.sessionId)).toEqual(['one?', 'one!']);
    }));
});

describe('the session of a runtime', () => {
  // proves: runtimes.sessions
  it('continues in its chat, and once as a fork in a copy of the chat', () =>
    withStore(async ({ turns, chats }) => {
      const first = opening();
      await turns.open(first);
      const resume = async (id: string) => (await turns.get(id))?.resume;
      expect(await resume(first.turnId)).toBeNull();
      await chats.setRuntimeRef(first.sessionId, 'ref-1');
      expect(await resume(first.turnId)).toEqual({ ref: 'ref-1', fork: false });
      const fork = opening();
      if (fork.chat === null) throw new Error('no chat');
      await turns.open({ ...fork, chat: { ...fork.chat, forkedFrom: first.sessionId } });
      await chats.setRuntimeRef(first.sessionId, 'ref-2');
      expect(await resume(fork.turnId)).toEqual({ ref: 'ref-1', fork: true });
      await chats.setRuntimeRef(fork.sessionId, 'ref-3');
      expect(await resume(fork.turnId)).toEqual({ ref: 'ref-3', fork: false });
    }));
});
