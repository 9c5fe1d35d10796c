import { afterEach, expect, test } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';
import {
  aHealth,
  aProject,
  aRecent,
  aRun,
  aRuntime,
  aTrigger,
  FAILING,
  serve,
  silentStream,
} from './service.ts';

afterEach(cleanup);

const HELLO = '/api/projects/hello';
const LIST = {
  triggers: [
    aTrigger('nightly', {
      recentRuns: [aRecent({ outcome: 'failed', reason: 'Bash: exit code 2.' })],
    }),
    aTrigger('tidy', { enabled: false }),
  ],
  invalid: [
    {
      name: 'digest',
      source: 'trigger',
      issues: [{ path: 'trigger.cron', message: 'has 4 fields.', line: 41, column: 13 }],
    },
  ],
  legacySchedules: [
    {
      ...{ name: 'old-one', type: 'cron', cron: '0 5 * * *', prompt: 'x' },
      ...{ resume_session: false, enabled: true, lastRun: null, recentRuns: [], upcoming: [] },
      ...{ usage: aTrigger('old-one').usage, runtimeInForce: 'native' },
    },
  ],
};
const HEALTH = aHealth({ total: 3, needYou: 2, invalid: 1, failing: 1 });
const READING = {
  'GET /api/projects': { projects: [aProject('hello', { name: 'Hello', health: HEALTH })] },
  [`GET ${HELLO}/triggers`]: LIST,
  [`GET ${HELLO}/triggers/runtime`]: {
    runtime: [aRuntime('nightly', FAILING), aRuntime('tidy', { armed: false, nextFire: null })],
  },
  [`GET ${HELLO}/upcoming`]: { fires: [], frequent: [] },
  'GET /api/events': silentStream,
};

async function show(path = '/projects/hello'): Promise<void> {
  const router = createPageRouter(createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} queries={createQueries()} />);
  await screen.findByRole('heading', { level: 1 });
}

/** The card of a trigger in the list with that label. */
async function card(name: string, label = 'Triggers'): Promise<HTMLElement> {
  const list = await screen.findByRole('list', { name: label });
  return within(list).getByText(name).closest('li') as HTMLElement;
}

test('says in one sentence what needs attention, and why', async () => {
  serve(READING);
  await show();
  const words = (await screen.findByText('2 of 3 triggers need attention')).parentElement;
  expect(words?.textContent).toMatch(/digest: invalid, line 41, column 13/);
  expect(words?.textContent).toMatch(/nightly: failed \d+ \w+ ago/);
});

test('an invalid entry shows its error and position, and has no switch and no run button', async () => {
  serve(READING);
  await show();
  const digest = within(await card('digest'));
  digest.getByText('line 41, column 13');
  expect(digest.queryByRole('switch')).toBeNull();
  expect(digest.queryByRole('button', { name: 'Run now: digest' })).toBeNull();
});

test('a problem of an armed trigger is shown before it fires', async () => {
  const reason = 'The prompt file report.md does not exist.';
  serve({
    ...READING,
    [`GET ${HELLO}/triggers`]: { ...LIST, triggers: [aTrigger('nightly')] },
    [`GET ${HELLO}/triggers/runtime`]: { runtime: [aRuntime('nightly', { reason })] },
  });
  await show();
  const nightly = within(await card('nightly'));
  nightly.getByText('Armed');
  nightly.getByText(reason);
});

test('in a table, the reason of a trigger without runs takes the place of their strip', async () => {
  const { ResizeObserver } = globalThis;
  class WideRoom extends ResizeObserver {
    readonly #say: () => void;
    constructor(callback: ResizeObserverCallback) {
      super(callback);
      this.#say = () =>
        callback([{ contentRect: { width: 969 } } as ResizeObserverEntry], this as ResizeObserver);
    }
    override observe(): void {
      this.#say();
    }
  }
  globalThis.ResizeObserver = WideRoom;
  try {
    serve(READING);
    await show();
    const table = within(await screen.findByRole('table', { name: 'Triggers' }));
    const cellsOf = (name: RegExp) => within(table.getByRole('row', { name })).getAllByRole('cell');
    const spans = (name: RegExp) =>
      cellsOf(name).map((cell) => (cell as HTMLTableCellElement).colSpan);
    expect(spans(/tidy/)).toEqual([1, 1, 2, 1, 1]);
    expect(spans(/nightly/)).toEqual([1, 1, 1, 1, 1, 1]);
  } finally {
    globalThis.ResizeObserver = ResizeObserver;
  }
});

test('the night omits zero counts where a trigger fires often', async () => {
  serve({
    ...READING,
    [`GET ${HELLO}/upcoming`]: {
      fires: [],
      frequent: [{ trigger: 'nightly', firesPerDay: 2880 }],
    },
  });
  await show('/');
  expect((await screen.findByText(/^Scheduled before /)).textContent).toMatch(
    /: one trigger that runs every 30 s\.$/,
  );
});

test('a legacy schedule is read-only', async () => {
  serve(READING);
  await show();
  const old = within(await card('old-one', 'Legacy schedules'));
  expect(old.queryByRole('switch')).toBeNull();
  expect(old.queryByRole('button')).toBeNull();
});

test('enabling saves the stored record with enabled changed, under its entity tag', async () => {
  const stored = { ...aTrigger('tidy', { enabled: false }) };
  const seen = serve({
    ...READING,
    [`GET ${HELLO}/triggers/tidy`]: () => Response.json(stored, { headers: { ETag: '"v1"' } }),
    [`PUT ${HELLO}/triggers/tidy`]: { ...stored, enabled: true },
  });
  await show();
  await userEvent.click(await screen.findByRole('switch', { name: 'Enabled: tidy' }));
  await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true));
  const put = seen.find(({ method }) => method === 'PUT');
  expect(put?.headers.get('If-Match')).toBe('"v1"');
  expect(await put?.json()).toMatchObject({ enabled: true, trigger: stored.trigger });
});

test('a switch that the service rejects returns to its state and shows why', async () => {
  const refusal = { error: 'The trigger has changed.', code: 'precondition_failed' };
  serve({
    ...READING,
    [`GET ${HELLO}/triggers/tidy`]: aTrigger('tidy', { enabled: false }),
    [`PUT ${HELLO}/triggers/tidy`]: () => Response.json(refusal, { status: 412 }),
  });
  await show();
  const toggle = await screen.findByRole('switch', { name: 'Enabled: tidy' });
  await userEvent.click(toggle);
  expect((await screen.findByRole('alert')).textContent).toBe('The trigger has changed.');
  await waitFor(() => expect(toggle.getAttribute('aria-checked')).toBe('false'));
});

test('a rejected run shows the reason at its trigger', async () => {
  const refusal = { error: 'No model.', code: 'run_failed' };
  serve({
    ...READING,
    [`POST ${HELLO}/triggers/nightly/run`]: () => Response.json(refusal, { status: 502 }),
  });
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Run now: nightly' }));
  const alert = await within(await card('nightly')).findByRole('alert');
  expect(alert.textContent).toBe('No model.');
});

test('deleting asks first, with the focus on Cancel', async () => {
  const seen = serve({
    ...READING,
    [`DELETE ${HELLO}/triggers/tidy`]: { ok: true, name: 'tidy', removed: true },
  });
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'More actions: tidy' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete tidy?' });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true));
});

test('a project with a broken file shows the position of the error', async () => {
  const issues = [{ path: '', message: 'is not valid YAML.', line: 12, column: 3 }];
  const broken = {
    triggers: [],
    invalid: [{ name: 'project.yaml', source: 'file', kind: 'unreadable', issues }],
    legacySchedules: [],
  };
  serve({ ...READING, [`GET ${HELLO}/triggers`]: broken });
  await show();
  await screen.findByText('project.yaml cannot be read: line 12, column 3.');
});

test('a file that an agent may have changed is shown and confirmed', async () => {
  const issues = [{ path: '', message: 'was replaced while an agent could change it.' }];
  const invalid = [{ name: 'project.yaml', source: 'file', kind: 'unconfirmed', issues }];
  const versions = { etag: 'e1', inEffect: 'name: Hello\n', current: 'name: Goodbye\n' };
  const seen = serve({
    ...READING,
    [`GET ${HELLO}/triggers`]: { ...LIST, invalid },
    [`POST ${HELLO}/confirm-file`]: { confirmed: false, ...versions },
  });
  await show();
  await screen.findByText('An agent may have changed project.yaml.');
  expect(screen.queryByRole('link', { name: 'New trigger' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show the change' }));
  await screen.findByText('- name: Hello');
  screen.getByText('+ name: Goodbye');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm this version' }));
  const posts = () => seen.filter(({ method }) => method === 'POST');
  await waitFor(() => expect(posts()).toHaveLength(2));
  expect(await Promise.all(posts().map((post) => post.json()))).toEqual([{}, { etag: 'e1' }]);
});

test('a file with invalid settings names them, and can still be changed', async () => {
  const issues = [{ path: 'keeper.runtime', message: 'is unknown.', line: 3, column: 5 }];
  const invalid = [{ name: 'project.yaml', source: 'file', kind: 'invalid', issues }];
  serve({ ...READING, [`GET ${HELLO}/triggers`]: { ...LIST, invalid } });
  await show();
  await screen.findByText('project.yaml has invalid settings.');
  screen.getByText('line 3, column 5: keeper.runtime is unknown.');
  screen.getByRole('link', { name: 'New trigger' });
});

test('the overview names what is broken across projects, with its reason', async () => {
  serve({ ...READING, [`GET ${HELLO}/runs`]: { runs: [aRun()], next: null } });
  await show('/');
  const list = within(await screen.findByRole('list', { name: 'Triggers that need attention' }));
  expect(list.getAllByRole('listitem')).toHaveLength(2);
  list.getByText(/Bash: exit code 2\./);
  await screen.findByText(/1 run, 1 succeeded\./);
});

test('an empty home explains what a project is', async () => {
  serve({ ...READING, 'GET /api/projects': { projects: [] } });
  await show('/');
  await screen.findByText('No projects yet. A project is a folder with a project.yaml.');
});

test('an unknown address says so', async () => {
  serve(READING);
  await show('/nowhere');
  screen.getByRole('heading', { name: 'Page not found' });
});

test.each(['/', '/projects/hello', '/projects/hello/runs'])(
  'direction marks of an agent in names, errors and reasons are escaped (%s)',
  async (path) => {
    const turned = (word: string) => `${word}\u202egpj`;
    const reason = turned('Reason');
    serve({
      ...READING,
      [`GET ${HELLO}/triggers`]: {
        ...LIST,
        triggers: [
          aTrigger(turned('failing'), { recentRuns: [aRecent({ outcome: 'failed', reason })] }),
          aTrigger('held'),
        ],
        invalid: [
          {
            name: turned('broken'),
            source: 'trigger',
            issues: [{ path: turned('key'), message: turned('is not known.'), line: 41 }],
          },
        ],
      },
      [`GET ${HELLO}/triggers/runtime`]: {
        runtime: [
          aRuntime(turned('failing'), { reason: turned('Remark') }),
          aRuntime('held', { armed: false, nextFire: null, reason: turned('Held') }),
        ],
      },
      [`GET ${HELLO}/runs`]: {
        runs: [aRun({ trigger: turned('failing'), outcome: 'failed', reason })],
        next: null,
      },
    });
    await show(path);
    expect((await screen.findAllByText(/\[U\+202E\]/)).length).toBeGreaterThan(0);
    if (path !== '/projects/hello/runs') await screen.findByText(/key\[U\+202E\]gpj/);
    expect(document.body.textContent).not.toContain('\u202e');
    for (const each of document.querySelectorAll('[aria-label], [title]')) {
      expect(`${each.getAttribute('aria-label')} ${each.getAttribute('title')}`).not.toContain(
        '\u202e',
      );
    }
  },
);

// proves: firing.clock.silent, firing.clock.go-on
test('a trigger that is silent after the clock was set back says so, and can be resumed', async () => {
  const message = 'The clock was ahead and was set back. It resumes at 2099-03-02T11:00:00.000Z.';
  const clock = {
    aheadUntil: '2099-03-02T10:00:00.000Z',
    silentUntil: '2099-03-02T11:00:00.000Z',
    message,
  };
  const runtime = [
    aRuntime('nightly', { reason: message, clock: { ...clock, canResume: true } }),
    aRuntime('tidy', { reason: message, clock: { ...clock, canResume: false } }),
  ];
  const seen = serve({
    ...READING,
    [`GET ${HELLO}/triggers`]: {
      ...{ ...LIST, invalid: [], legacySchedules: [] },
      triggers: [aTrigger('nightly'), aTrigger('tidy')],
    },
    [`GET ${HELLO}/triggers/runtime`]: { runtime },
    [`POST ${HELLO}/triggers/nightly/resume`]: { resumed: true, project: 'hello', name: 'nightly' },
  });
  await show();
  const nightly = within(await card('nightly'));
  nightly.getByText('Silent');
  screen.getByText('No problems. 2 triggers are silent because the clock was set back.');
  nightly.getByText(/^Silent until .*, and none runs twice\.$/s);
  expect(nightly.queryByText(message)).toBeNull();
  expect(within(await card('tidy')).queryByRole('button', { name: 'Resume now: tidy' })).toBeNull();
  await userEvent.click(nightly.getByRole('button', { name: 'Resume now: nightly' }));
  await waitFor(() => expect(seen.some(({ url }) => url.endsWith('/nightly/resume'))).toBe(true));
});
