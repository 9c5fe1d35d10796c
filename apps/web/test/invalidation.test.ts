import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createInvalidator, invalidateAll, invalidatedKeys } from '../src/data/invalidation.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a run invalidates its row, the lists of runs and triggers, and the projects', () => {
  const keys = invalidatedKeys({ kind: 'run', project: 'p', id: 'r' });
  expect(keys).toEqual([
    ['projects'],
    ['status'],
    ['project', 'p', 'triggers'],
    ['project', 'p', 'runs'],
    ['project', 'p', 'run', 'r'],
    ['project', 'p', 'events'],
  ]);
});

test('an event invalidates the events of its project', () => {
  expect(invalidatedKeys({ kind: 'event', project: 'p', id: 'p' })).toEqual([
    ['project', 'p', 'events'],
  ]);
});

test('changes within a tenth of a second are collected, each key once', () => {
  const queries = new QueryClient();
  const asked: unknown[] = [];
  queries.invalidateQueries = async (filters) => void asked.push(filters?.queryKey);
  const stale = createInvalidator(queries);
  const keys = invalidatedKeys({ kind: 'chat', project: 'p', id: 'c' });
  stale(keys);
  jest.advanceTimersByTime(99);
  stale(keys);
  expect(asked).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(asked).toEqual([['status'], ['project', 'p', 'chats'], ['project', 'p', 'chat', 'c']]);
});

test('a response in flight during a change is fetched again, and not cancelled', async () => {
  const queries = new QueryClient();
  const answers: ((text: string) => void)[] = [];
  const queryKey = ['project', 'p', 'chats'];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const end = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {});
  createInvalidator(queries)([queryKey]);
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

/** Queries by name with the number of their requests, and a function that answers the oldest pending one. */
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

test('when the stream opens, earlier queries are fetched again, and later ones only once', async () => {
  const { queries, asked, ask, answer } = asking();
  const ends = [ask('answered')];
  await answer();
  ends.push(ask('on its way'));
  invalidateAll(queries);
  ends.push(ask('later'));
  expect(asked).toEqual(['answered', 'on its way', 'answered', 'later']);
  for (const _ of asked) await answer();
  await jest.advanceTimersByTimeAsync(1000);
  await answer();
  expect(asked).toEqual(['answered', 'on its way', 'answered', 'later', 'on its way']);
  for (const end of ends) end();
});
