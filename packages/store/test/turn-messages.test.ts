import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import type { NewMessage } from '@svc/records';
import { opening, T0, withStore } from './harness.ts';

const said = (text: string): NewMessage => ({ role: 'assistant', kind: 'text', text, tool: null });
const result = (text: string): NewMessage => ({
  role: 'tool',
  kind: 'tool_result',
  text,
  tool: { callId: 'c', name: 'Read' },
});
const notice: NewMessage = { role: 'system', kind: 'notice', text: 'It may read.', tool: null };
const BOUNDS = { mostBytes: 10_000, mostOfText: 5000, mostOfTool: 500 };

describe('the messages of turns', () => {
  it('are those of exactly these turns, oldest first, with their chats, and without notices and copies', () =>
    withStore(async ({ turns, chats }) => {
      const first = opening({ messages: [notice, said('one')] });
      const { sessionId } = first;
      await turns.open(first);
      await turns.open(opening({ sessionId, chat: null, messages: [said('not this')] }));
      const other = opening({ messages: [said('two')], at: T0 + 1 });
      await turns.open(other);
      await turns.append(first.turnId, sessionId, [said('three')], T0 + 2);
      const copy = { ...first.chat, sessionId: newId(), forkedFrom: sessionId } as never;
      await chats.fork(sessionId, copy, T0 + 3);
      const read = await turns.messages([first.turnId, other.turnId], BOUNDS);
      expect(read.omitted).toBe(0);
      expect(read.messages.map((one) => [one.text, one.sessionId, one.chat, one.seq])).toEqual([
        ['one', sessionId, 'nightly', 2],
        ['two', other.sessionId, 'nightly', 1],
        ['three', sessionId, 'nightly', 4],
      ]);
      expect(await turns.messages([], BOUNDS)).toEqual({ messages: [], omitted: 0 });
      expect(await turns.messages([newId()], BOUNDS)).toEqual({ messages: [], omitted: 0 });
    }));

  it('are the newest that fit, long ones counted for as much as is wanted of them', () =>
    withStore(async ({ turns }) => {
      const begun = opening({ messages: [said('old')] });
      await turns.open(begun);
      const long = 'x'.repeat(9000);
      const later = [said(long), result(long), said('x'.repeat(4000)), result(long)];
      for (const [n, message] of later.entries()) {
        await turns.append(begun.turnId, begun.sessionId, [message], T0 + n + 1);
      }
      const read = async (mostBytes: number) => {
        const { messages, omitted } = await turns.messages([begun.turnId], {
          ...BOUNDS,
          mostBytes,
        });
        return [messages.map(({ seq }) => seq), omitted];
      };
      expect(await read(20_000)).toEqual([[1, 2, 3, 4, 5], 0]);
      expect(await read(10_040)).toEqual([[2, 3, 4, 5], 1]);
      expect(await read(6_000)).toEqual([[3, 4, 5], 2]);
      expect(await read(1)).toEqual([[5], 4]);
    }));

  it('are those of the last turns where there are very many, and the others are counted', () =>
    withStore(async ({ turns }) => {
      const first = opening({ messages: [said('old')] });
      const last = opening({ messages: [said('new')], at: T0 + 1 });
      await turns.openAll([first, last]);
      const many = Array.from({ length: 5000 }, () => newId());
      const read = await turns.messages([first.turnId, ...many.slice(1), last.turnId], BOUNDS);
      expect(read.messages.map(({ text }) => text)).toEqual(['new']);
      expect(read.omitted).toBe(1);
    }));
});
