import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Run } from '../src/data/api-types.ts';
import { tookText } from '../src/model/run-text.ts';
import { costText, runUseText } from '../src/model/usage-text.ts';
import { show } from './page.tsx';
import {
  aHealth,
  aProject,
  aRun,
  aRuntime,
  aTrigger,
  aUse,
  HELLO_SERVICE,
  serve,
} from './service.ts';

const { ResizeObserver } = globalThis;

/** Reports enough room for every column. */
class WideRoom extends ResizeObserver {
  readonly #say: () => void;
  constructor(callback: ResizeObserverCallback) {
    super(callback);
    this.#say = () => callback([{ contentRect: { width: 1180 } } as ResizeObserverEntry], this);
  }
  override observe(): void {
    this.#say();
  }
}

afterEach(() => {
  cleanup();
  globalThis.ResizeObserver = ResizeObserver;
});

const HELLO = '/api/projects/hello';
const listed = (facts: object) => ({
  [`GET ${HELLO}/triggers`]: {
    ...(HELLO_SERVICE[`GET ${HELLO}/triggers`] as object),
    triggers: [aTrigger('nightly', facts)],
  },
});

describe('the usage of a run', () => {
  const asked = { model: 'gpt', tokensIn: 1204, tokensOut: 310 };
  test.each<[string, Partial<Run>, string | null]>([
    ['the playbook, which uses nothing', {}, 'runtime native, model playbook'],
    [
      'an estimate',
      { ...asked, cost: 0.123 },
      'runtime native, model gpt; 1,204 tokens in, 310 out; about $0.12',
    ],
    ['an unknown cost', asked, 'runtime native, model gpt; 1,204 tokens in, 310 out; cost unknown'],
    [
      'a runtime that tells nothing',
      { runtime: 'reporter', model: null },
      'runtime reporter; tokens unknown; cost unknown',
    ],
    [
      'a running one',
      { model: 'gpt', state: 'running', outcome: null },
      'runtime native, model gpt',
    ],
    ['one that never began', { runtime: null, model: null }, null],
  ])('shows %s', (_what, facts, text) => {
    expect(runUseText(aRun(facts))).toBe(text);
  });

  test('is never rounded to zero', () => {
    expect([null, 0, 0.004, 0.01, 1234.5].map(costText)).toEqual([
      ...['unknown', 'no cost', 'under $0.01', 'about $0.01', 'about $1,234.50'],
    ]);
  });

  test('is shown in its view', async () => {
    serve({ ...HELLO_SERVICE, [`GET ${HELLO}/runs/r1`]: aRun({ id: 'r1', ...asked, cost: 0.12 }) });
    show('/projects/hello/runs/r1');
    await screen.findByText('runtime native, model gpt; 1,204 tokens in, 310 out; about $0.12');
  });
});

test('a run of a moment took more than nothing', () => {
  const startedAt = '2026-03-02T03:00:00.000Z';
  const took = (endedAt: string) => tookText(aRun({ startedAt, endedAt }));
  expect(took('2026-03-02T03:00:00.030Z')).toBe('under 0.1 s');
  expect(took('2026-03-02T03:00:00.100Z')).toBe('0.1 s');
});

test('a trigger shows its usage of this month, and nothing when none is known', async () => {
  const month = aUse({ runs: 20, tokensIn: 9000, tokensOut: 500, cost: 1.2 });
  const today = aUse({ runs: 1, tokensIn: 90, tokensOut: 5, cost: 0.05 });
  serve({ ...HELLO_SERVICE, ...listed({ usage: { today, month } }) });
  show('/projects/hello');
  await screen.findByText('about $1.20 this month, about $0.05 today');
  cleanup();
  const unpriced = { today: aUse({ runs: 1 }), month: { ...month, cost: null } };
  serve({ ...HELLO_SERVICE, ...listed({ usage: unpriced }) });
  show('/projects/hello');
  await screen.findByText('9,500 tokens this month');
  cleanup();
  serve({ ...HELLO_SERVICE, ...listed({ usage: { today: aUse(), month: aUse({ runs: 20 }) } }) });
  show('/projects/hello');
  await screen.findByRole('switch', { name: 'Enabled: nightly' });
  expect(screen.queryByText(/this month/)).toBeNull();
});

const BY_DAY = {
  wide: [
    ['Tue 3 Mar', '3', '1', '1,204', '310', 'about $0.12'],
    ['Sun 1 Mar', '2', '0', 'unknown', 'unknown', 'unknown'],
    ['Total', '5,000', '1', '1,204', '310', 'about $0.12'],
  ],
  narrow: [
    ['Tue 3 Mar', '3 runs, 1 chat turn, 1,204 tokens in, 310 out, about $0.12'],
    ['Sun 1 Mar', '2 runs'],
    ['Total', '5,000 runs, 1 chat turn, 1,204 tokens in, 310 out, about $0.12'],
  ],
} as const;

test.each(['wide', 'narrow'] as const)(
  'the usage of a project is listed by day once it is expanded, in a %s window',
  async (width) => {
    if (width === 'wide') globalThis.ResizeObserver = WideRoom;
    const used = aUse({ runs: 3, chatTurns: 1, tokensIn: 1204, tokensOut: 310, cost: 0.12 });
    const seen = serve({
      ...HELLO_SERVICE,
      [`GET ${HELLO}/usage`]: {
        timezone: 'Europe/Berlin',
        days: [
          { day: '2026-03-01', ...aUse({ runs: 2 }) },
          { day: '2026-03-02', ...aUse() },
          { day: '2026-03-03', ...used },
        ],
        total: { ...used, runs: 5000 },
        triggers: [],
      },
    });
    show('/projects/hello');
    const summary = await screen.findByText('Usage in the last 30 days');
    const isAsked = () => seen.some(({ url }) => url.endsWith('/usage?days=30'));
    expect(isAsked()).toBe(false);
    await userEvent.click(summary);
    const table = within(await screen.findByRole('table', { name: /^Days in Europe\/Berlin/ }));
    const rows = table.getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual(
      BY_DAY[width],
    );
  },
);

test('the overview shows the usage of today', async () => {
  const usageToday = aUse({ runs: 12, chatTurns: 1, tokensIn: 1204, tokensOut: 310, cost: 0.12 });
  const status = { paused: null, running: [], usageToday, costPerDay: null };
  const words = 'Today: 12 runs, 1 chat turn, 1,204 tokens in, 310 out, about $0.12';
  serve({ ...HELLO_SERVICE, 'GET /api/status': status });
  show('/');
  await screen.findByText(`${words}.`);
  cleanup();
  const costPerDay = { spent: 5.25, limit: 5 };
  serve({ ...HELLO_SERVICE, 'GET /api/status': { ...status, costPerDay } });
  show('/');
  await screen.findByText(`${words}; $5.25 of $5.00 spent: paid turns start again tomorrow.`);
  cleanup();
  serve(HELLO_SERVICE);
  show('/');
  await screen.findByText(/^Scheduled before /);
  expect(screen.queryByText(/^Today: /)).toBeNull();
});

test('a trigger whose runtime cannot enforce its limits says so in words, enabled and disabled', async () => {
  const problem = 'run.tools cannot be enforced: the reporter runtime does not restrict its agent.';
  const health = aHealth({ needYou: 1, unready: 1 });
  const projects = [aProject('hello', { name: 'Hello', health })];
  const attention = [{ kind: 'unready', reason: problem }] as const;
  const runtime = [aRuntime('nightly', { reason: problem, attention: [...attention] })];
  const answers = {
    ...HELLO_SERVICE,
    'GET /api/projects': { projects },
    'GET /api/projects/hello/triggers/runtime': { runtime },
  };
  serve({ ...answers, ...listed({ problem }) });
  show('/projects/hello');
  expect(await screen.findAllByText(problem, { exact: false })).toHaveLength(2);
  cleanup();
  serve({ ...answers, ...listed({ problem }) });
  show('/');
  await screen.findByText(problem);
  cleanup();
  const [path, ...rest] = problem.split(' ');
  const unheld = [{ path: path ?? '', message: rest.join(' ') }];
  serve({ ...HELLO_SERVICE, ...listed({ unheld, enabled: false }) });
  show('/projects/hello');
  await screen.findByText(`If you enable it, its runs will fail: ${problem}`);
  await waitFor(() => screen.getByRole('switch', { name: 'Enabled: nightly' }));
});
