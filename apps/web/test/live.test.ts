import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createStaleness, staleKeys, staleSoFar } from '../src/data/live.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a run makes its row, the lists of runs and triggers and the projects stale', () => {
  const keys = staleKeys({ kind: 'run', project: 'p', id: 'r' });
  expect(keys).toEqual([
    ['projects'],
    ['status'],
    ['project', 'p', 'triggers'],
    ['project', 'p', 'runs'],
    ['project', 'p', 'run', 'r'],
    ['project', 'p', 'events'],
  ]);
});

test('an event makes the events of its project stale', () => {
  expect(staleKeys({ kind: 'event', project: 'p', id: 'p' })).toEqual([['project', 'p', 'events']]);
});

test('changes of a tenth of a second are gathered, each key once', () => {
  const queries = new QueryClient();
  const asked: unknown[] = [];
  queries.invalidateQueries = async (filters) => void asked.push(filters?.queryKey);
  const stale = createStaleness(queries);
  const keys = staleKeys({ kind: 'chat', project: 'p', id: 'c' });
  stale(keys);
  jest.advanceTimersByTime(99);
  stale(keys);
  expect(asked).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(asked).toEqual([['status'], ['project', 'p', 'chats'], ['project', 'p', 'chat', 'c']]);
});

test('an answer that was on its way at a change is asked for again, and not broken off', async () => {
  const queries = new QueryClient();
  const answers: ((text: string) => void)[] = [];
  const queryKey = ['project', 'p', 'chats'];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const end = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {});
  createStaleness(queries)([queryKey]);
  await jest.advanceTimersByTimeAsync(100);
  expect(answers).toHaveLength(1);
  answers[0]?.('old');
  await jest.advanceTimersByTimeAsync(0);
  expect(answers).toHaveLength(2);
  answers[1]?.('new');
  await jest.advanceTimersByTimeAsync(0);
  expect(answers).toHaveLength(2);
  expect(queries.getQueryData(queryKey)).toBe('new');
  end();
});

/** Queries by name, each as often as it was asked for, with what answers the oldest that waits. */
function asking() {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } });
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const ask = (name: string): (() => void) => {
    const queryFn = () =>
      new Promise<string>((resolve) => {
        asked.push(name);
        answers.push(() => resolve(name));
      });
    return new QueryObserver(queries, { queryKey: [name], queryFn }).subscribe(() => {});
  };
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await jest.advanceTimersByTimeAsync(0);
  };
  return { queries, asked, ask, answer };
}

test('when the stream opens, what was asked for before is asked for again, and what comes after once', async () => {
  const { queries, asked, ask, answer } = asking();
  const ends = [ask('answered')];
  await answer();
  ends.push(ask('on its way'));
  staleSoFar(queries);
  ends.push(ask('later'));
  expect(asked).toEqual(['answered', 'on its way', 'answered', 'later']);
  for (const _ of asked) await answer();
  await jest.advanceTimersByTimeAsync(1000);
  await answer();
  expect(asked).toEqual(['answered', 'on its way', 'answered', 'later', 'on its way']);
  for (const end of ends) end();
});
