import { afterEach, expect, test } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';
import { originText, runFacts, tookText } from '../src/model/run-text.ts';
import { aRun, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

test('an opened run keeps the focus on its heading after it is loaded', async () => {
  let answer = (_: Response): void => {};
  const late = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  serve({ ...HELLO_SERVICE, 'GET /api/projects/hello/runs/r1': () => late });
  const router = createPageRouter(createMemoryHistory({ initialEntries: ['/projects/hello'] }));
  render(<App router={router} queries={createQueries()} />);
  await screen.findByRole('heading', { name: 'Hello', level: 1 });
  await router.navigate({
    to: '/projects/$slug/runs/$runId',
    params: { slug: 'hello', runId: 'r1' },
  });
  const heading = await screen.findByRole('heading', { name: 'Run', level: 1 });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  answer(Response.json(aRun({ trigger: 'nightly' })));
  await waitFor(() => expect(heading.textContent).toBe('nightly'));
  expect(document.activeElement).toBe(heading);
});

// proves: curator.run.reason
test('a run that succeeded shows what it changed', async () => {
  const run = aRun({ trigger: 'notes', reason: 'OVERVIEW.md: 3 lines added.' });
  serve({ ...HELLO_SERVICE, 'GET /api/projects/hello/runs/r1': run });
  const history = createMemoryHistory({ initialEntries: ['/projects/hello/runs/r1'] });
  render(<App router={createPageRouter(history)} queries={createQueries()} />);
  const files = await screen.findByText('OVERVIEW.md: 3 lines added.');
  expect(files.closest('[role=status]')?.textContent).toMatch(/^Succeeded/);
});

// proves: retention.shown
test('a pruned history says so at its end, and a removed run says why it is missing', async () => {
  const removed = { count: 1200, until: '2026-03-01T03:00:00.000Z' };
  const gone = {
    ...{ error: 'The page does not read this sentence.', code: 'not_found' },
    pruned: true,
  };
  serve({
    ...HELLO_SERVICE,
    'GET /api/projects/hello/runs': { runs: [aRun({})], next: null, removed },
    'GET /api/projects/hello/runs/old': () => Response.json(gone, { status: 404 }),
  });
  const history = createMemoryHistory({ initialEntries: ['/projects/hello/runs'] });
  const router = createPageRouter(history);
  render(<App router={router} queries={createQueries()} />);
  const retention = await screen.findByText(/removed by retention/);
  expect(retention.textContent).toMatch(
    /^1,200 older runs, up to .+, were removed by retention\.$/,
  );
  await router.navigate({
    to: '/projects/$slug/runs/$runId',
    params: { slug: 'hello', runId: 'old' },
  });
  expect(await screen.findByText(/Runs this old were removed by retention/)).not.toBeNull();
});

const BY_HAND = aRun({
  ...{ cause: 'manual', by: 'user', scheduledFor: null, lateMs: null, turns: 1, toolCalls: 2 },
  startedAt: '2026-03-02T03:00:00.000Z',
  endedAt: '2026-03-02T03:00:01.400Z',
});

test('a run started by a user shows its start, a scheduled run its scheduled time', () => {
  const now = Date.parse('2026-03-04T12:00:00.000Z');
  expect(runFacts(BY_HAND, now)[0]).toMatch(/^started /);
  expect(runFacts({ ...BY_HAND, state: 'running', endedAt: null }, now).join()).not.toMatch(
    /started (?!by)/,
  );
});

test.each([
  ['playbook', ['2 tool calls']],
  ['some-model', ['1 model call', '2 tool calls']],
])('model calls %s read %j', (model, calls) => {
  const facts = runFacts({ ...BY_HAND, model }, Date.parse('2026-03-04T12:00:00.000Z'));
  expect(facts.filter((fact) => / calls?$/.test(fact))).toEqual(calls);
});

test.each([
  [3, '2 tool calls, 3 failed'],
  [0, '2 tool calls'],
  [null, '2 tool calls'],
])('%s failed tool calls read %s', (toolErrors, text) => {
  expect(runFacts({ ...BY_HAND, toolErrors }, Date.parse('2026-03-04T12:00:00.000Z'))).toContain(
    text,
  );
});

test.each([
  [0, 'under 0.1 s'],
  [99, 'under 0.1 s'],
  [100, '0.1 s'],
  [1400, '1.4 s'],
])('a run of %d ms took %s', (ms, text) => {
  const startedAt = '2026-03-02T03:00:00.000Z';
  const endedAt = new Date(Date.parse(startedAt) + ms).toISOString();
  expect(tookText(aRun({ startedAt, endedAt }))).toBe(text);
});

test.each([
  ['heartbeat', 'heartbeat', 'started by its trigger'],
  ['A look at the logs', 'heartbeat', 'started by trigger heartbeat'],
  ['A question', null, 'started by a user'],
  ['A question', null, 'started by Ada', 'Ada'],
  ['A question', null, 'started by a[U+202E]b', 'a\u202Eb'],
])(
  'below the chat %s stands of the trigger %s: %s',
  (name, trigger, text, person: string | null = null) => {
    expect(originText({ name, trigger, by: 'user', person })).toBe(text);
  },
);
