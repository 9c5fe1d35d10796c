import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { show } from './page.tsx';
import {
  aProject,
  aRun,
  aRuntime,
  aRuntimeOf,
  aServer,
  aStatus,
  aTrigger,
  serve,
  silentStream,
} from './service.ts';

afterEach(cleanup);
beforeEach(() => localStorage.clear());

const HELLO = '/api/projects/hello';
const RUN_ID = '01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01';
const READING = {
  'GET /api/projects': { projects: [aProject('hello', { name: 'Hello' })] },
  [`GET ${HELLO}/triggers`]: {
    triggers: [aTrigger('nightly'), aTrigger('weekly')],
    invalid: [],
    legacySchedules: [],
  },
  [`GET ${HELLO}/triggers/runtime`]: { runtime: [aRuntime('nightly'), aRuntime('weekly')] },
  [`GET ${HELLO}/upcoming`]: { fires: [], frequent: [] },
  [`GET ${HELLO}/runs`]: { runs: [], next: null },
  'GET /api/session': { mode: 'none', signedIn: true, user: null, role: 'write' },
  'GET /api/events': silentStream,
};
const TURN = {
  ...{ turnId: 't1', project: 'hello', sessionId: 's1', chat: 'nightly', runId: RUN_ID },
  ...{ trigger: 'nightly', startedAt: new Date(Date.now() - 134_000).toISOString() },
};

test('running turns are counted, named and timed, and can be cancelled', async () => {
  const asked = {
    ...TURN,
    turnId: 't2',
    runId: null,
    trigger: null,
    chat: 'A question',
    node: 'bora',
  };
  const seen = serve({
    ...READING,
    'GET /api/status': aStatus({
      running: [TURN, asked],
      nodes: [aServer('atlas'), aServer('bora')],
    }),
    [`POST ${HELLO}/chats/s1/cancel`]: { turnId: 't2', runId: null },
    [`POST ${HELLO}/runs/${RUN_ID}/cancel`]: aRun({ id: RUN_ID, state: 'running', outcome: null }),
  });
  show('/projects/hello');
  await userEvent.click(await screen.findByRole('button', { name: '2 running' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Running now' }));
  panel.getByRole('link', { name: 'A question' });
  expect(panel.getAllByText(/^2 min 1[4-9] s$/)).toHaveLength(2);
  const [, second] = panel.getAllByRole('listitem');
  expect(second?.textContent).toMatch(/hello, 2 min 1[4-9] s, on bora/);
  expect(panel.getAllByRole('button')).toHaveLength(2);
  await userEvent.click(panel.getByRole('button', { name: 'Cancel: nightly' }));
  await userEvent.click(panel.getByRole('button', { name: 'Cancel: A question' }));
  const posted = () => seen.filter(({ method }) => method === 'POST').map(({ url }) => url);
  await waitFor(() => expect(posted()).toHaveLength(2));
  expect(posted().map((url) => new URL(url).pathname)).toEqual([
    `${HELLO}/runs/${RUN_ID}/cancel`,
    `${HELLO}/chats/s1/cancel`,
  ]);
});

test('runs that ended since the last visit are unread until opened; skipped ones are not listed', async () => {
  const endedAt = new Date(Date.now() - 60_000).toISOString();
  const runs = [
    aRun({ id: 'a', endedAt, outcome: 'failed', trigger: 'weekly' }),
    aRun({ id: 'b', endedAt, outcome: 'skipped_overlap' }),
    aRun({ id: 'd', endedAt, trigger: 'weekly' }),
    aRun({ id: 'c', endedAt: new Date(Date.now() - 90_000_000).toISOString() }),
  ];
  serve({ ...READING, [`GET ${HELLO}/runs`]: { runs, next: null } });
  show('/projects/hello');
  await userEvent.click(await screen.findByRole('button', { name: '1 of 2 runs failed' }));
  const panel = within(
    await screen.findByRole('dialog', { name: 'Finished since your last visit' }),
  );
  const texts = panel.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringMatching(/^weeklyhello, .*Failed$/),
    expect.stringMatching(/^weeklyhello, .*Succeeded$/),
  ]);
  await userEvent.click(panel.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: '1 of 2 runs failed' })).toBeNull(),
  );
});

test('shortcuts step through the rows, and run, edit and create triggers', async () => {
  const runId = RUN_ID;
  const seen = serve({
    ...READING,
    [`POST ${HELLO}/triggers/weekly/run`]: { ok: true, name: 'weekly', sessionId: 's', runId },
  });
  const { path } = show('/projects/hello');
  await screen.findByRole('switch', { name: 'Enabled: weekly' });
  await userEvent.keyboard('jj');
  expect(document.activeElement?.textContent).toBe('weekly');
  await userEvent.keyboard('k');
  expect(document.activeElement?.textContent).toBe('nightly');
  await userEvent.keyboard('jr');
  await waitFor(() => expect(path()).toBe(`/projects/hello/runs/${runId}`));
  expect(seen.find(({ method }) => method === 'POST')?.url).toMatch(/weekly\/run$/);
});

test('e opens the trigger of the row, n a new one', async () => {
  serve(READING);
  const { path } = show('/projects/hello');
  await screen.findByRole('switch', { name: 'Enabled: weekly' });
  await userEvent.keyboard('n');
  await waitFor(() => expect(path()).toBe('/projects/hello/triggers/new'));
  cleanup();
  const second = show('/projects/hello');
  await screen.findByRole('switch', { name: 'Enabled: weekly' });
  await userEvent.keyboard('je');
  await waitFor(() => expect(second.path()).toBe('/projects/hello/triggers/nightly'));
});

test('shortcuts do nothing in fields and dialogs, nor while they are disabled', async () => {
  serve(READING);
  const { path } = show('/projects/hello');
  await screen.findByRole('switch', { name: 'Enabled: weekly' });
  await userEvent.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  await userEvent.keyboard('n');
  await userEvent.click(dialog.getByRole('checkbox'));
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('n?');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(path()).toBe('/projects/hello');
});

test('the settings show effective values with their source, the clients, and the readiness of runtimes', async () => {
  const scope = { allow: ['list_*'], deny: [], projects: ['hello'], denyProjects: ['secret'] };
  serve({
    ...READING,
    'GET /api/settings': {
      settings: {
        'limits.turnTimeout': { value: '60m', source: 'default' },
        'server.publicUrl': { value: null, source: 'default' },
        'server.port': { value: 7420, source: 'flag' },
        'server.publicHosts': { value: [], source: 'file' },
      },
      clients: [{ clientId: 'ci', scope: { ...scope, maxSpawnDepth: null } }],
      runtimes: [
        aRuntimeOf('native'),
        aRuntimeOf('other', {}, { ready: false, reason: 'it is not installed.' }),
      ],
      alerts: { sinks: [], heartbeat: null },
    },
  });
  show('/settings');
  const port = await screen.findByRole('row', { name: 'server.port 7420 command line' });
  expect(within(port).getByText('command line').dataset['source']).toBe('flag');
  screen.getByRole('row', { name: 'server.publicHosts none svc.config.yaml' });
  screen.getByRole('row', { name: 'server.publicUrl none default' });
  screen.getByRole('row', { name: 'limits.turnTimeout 60m default' });
  screen.getByText('It is not installed.');
  expect(screen.getByText('ci').closest('li')?.textContent).toBe(
    'ciallowed: list_*projects: hellodenied projects: secret',
  );
});

test('settings that cannot be loaded show why', async () => {
  const refusal = { error: 'Not for you.', code: 'not_permitted' };
  serve({ ...READING, 'GET /api/settings': () => Response.json(refusal, { status: 403 }) });
  show('/settings');
  await screen.findByText('Not for you.');
});

// proves: pausing.page
test('a banner shows who paused everything and why, and resumes it', async () => {
  const seen = serve({
    ...READING,
    'GET /api/status': aStatus({
      paused: { by: 'anna', at: new Date().toISOString(), reason: 'Moving.' },
    }),
    'POST /api/resume': { paused: null },
  });
  show('/projects/hello');
  await screen.findByText('All triggers are paused.');
  await screen.findByText(/Paused by anna: Moving\./);
  await userEvent.click(screen.getByRole('button', { name: 'Resume all triggers' }));
  await waitFor(() => expect(seen.some(({ url }) => url.endsWith('/api/resume'))).toBe(true));
});

const AT = new Date(Date.now() - 60_000).toISOString();
const A_SINK = {
  ...{ id: 'ops', kind: 'webhook', to: 'https://hooks.example/…', on: ['failed', 'digest'] },
  ...{ threshold: 3, cooldown: '1h', problem: null, waiting: 2, givenUp: 1 },
  lastTry: { at: AT, ok: false, error: 'It answered 500.' },
};

// proves: alerts.page
test('a banner names failing alert sinks, and the settings show and test them', async () => {
  const failing = [{ sink: 'ops', error: 'It answered 500.' }];
  const heartbeat = { to: 'https://watcher.example/…', every: '5m', lastTry: null };
  const seen = serve({
    ...READING,
    'GET /api/status': aStatus({ alerts: { failing, waiting: 2 } }),
    'GET /api/settings': {
      ...{ settings: {}, clients: [], runtimes: [] },
      alerts: { sinks: [A_SINK], heartbeat },
    },
    'POST /api/alerts/test': { tried: [{ sink: 'ops', at: AT, ok: true, error: null }] },
  });
  show('/projects/hello');
  await screen.findByText('An alert sink is failing.');
  screen.getByText('ops: It answered 500.');
  await userEvent.click(screen.getByRole('link', { name: 'View alerts' }));
  await screen.findByRole('heading', { name: 'Alerts' });
  screen.getByText(
    'Sends: failed, digest; failed only after 3 consecutive failures; at most one alert of a kind per trigger every 1h.',
  );
  screen.getByText('Undelivered alerts of the last 30 days: 1.');
  screen.getByText('Pinged after each successful run, at most every 5m.');
  await userEvent.click(screen.getByRole('button', { name: 'Send a test alert: ops' }));
  await waitFor(() => expect(seen.some(({ method }) => method === 'POST')).toBe(true));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ sink: 'ops' });
});

// proves: firing.clock.own-zone
test('an invalid time zone is named', async () => {
  const warning = 'TZ="Europe/Berln" is not a time zone, so UTC is used.';
  serve({ ...READING, 'GET /api/status': aStatus({ timezone: { name: 'UTC', warning } }) });
  show('/projects/hello');
  await screen.findByText(warning);
});

// proves: scale.watch-limit.said
test('a system limit that delays the detection of edits is named, with how to raise it', async () => {
  const reason = 'The limit fs.inotify.max_user_watches of this machine is reached. Raise it.';
  serve({
    ...READING,
    'GET /api/status': aStatus({ limitedWatch: { reason, projects: 1808, seconds: 1 } }),
  });
  show('/projects/hello');
  await screen.findByText(reason);
  await screen.findByText(/take effect after up to a second in 1,808 projects\./);
});
