import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { attentionText } from '../src/model/describe.ts';
import { entriesOf } from '../src/model/entries.ts';
import { stateOfEntries } from '../src/model/project-state.ts';
import { show } from './page.tsx';
import {
  aHealth,
  aProject,
  aRecent,
  aRun,
  aRuntime,
  aTrigger,
  aUse,
  FAILING,
  HELLO_SERVICE,
  serve,
  silentStream,
} from './service.ts';

afterEach(cleanup);
beforeEach(() => localStorage.clear());

const HELLO = '/api/projects/hello';
const issue = (message: string, line: number) => ({ path: 'run', message, line, column: 3 });
const invalid = (name: string, ...issues: object[]) => ({ name, source: 'trigger', issues });
const LEGACY = {
  ...{ name: 'old', type: 'cron', cron: '0 5 * * *', prompt: 'x', resume_session: false },
  ...{ enabled: false, lastRun: null, recentRuns: [], upcoming: [], schedule: null },
};
const MIXED = {
  ...HELLO_SERVICE,
  'GET /api/projects': {
    projects: [
      aProject('hello', { name: 'Hello', health: aHealth({ total: 3, needYou: 2, failing: 1 }) }),
    ],
  },
  [`GET ${HELLO}/triggers`]: {
    triggers: [
      aTrigger('nightly', { recentRuns: [aRecent({ outcome: 'failed' })] }),
      aTrigger('weekly', { enabled: false }),
    ],
    invalid: [invalid('digest', issue('has 4 fields.', 41), issue('is empty.', 42))],
    legacySchedules: [LEGACY],
  },
  [`GET ${HELLO}/triggers/runtime`]: { runtime: [aRuntime('nightly', FAILING)] },
};

test('verdict, overview, sidebar and filter count the same triggers', async () => {
  serve(MIXED);
  show('/');
  await screen.findByText('2 of 3 triggers need attention');
  screen.getByText('3 triggers');
  await userEvent.click(screen.getByRole('button', { name: /^Projects/ }));
  const side = within(await screen.findByRole('navigation', { name: 'Projects' }));
  expect(side.getByTitle('2 need attention')).not.toBeNull();
  cleanup();
  show('/projects/hello');
  await screen.findByText('2 of 3 triggers need attention');
  cleanup();
  show('/projects/hello/runs');
  const filter = await screen.findByRole('combobox', { name: 'Trigger' });
  await within(filter).findByRole('option', { name: 'digest' });
  expect(within(filter).getAllByRole('option')).toHaveLength(5);
});

test('an unreadable file is not a trigger, and is counted separately', () => {
  const file = {
    name: 'project.yaml',
    source: 'file' as const,
    kind: 'unreadable' as const,
    issues: [],
  };
  const counts = { triggers: [], invalid: [file], legacySchedules: [], runtime: [] };
  expect(attentionText(stateOfEntries(entriesOf('hello', counts, 0)))).toBe(
    '1 project.yaml file is invalid',
  );
});

test('every error of an invalid entry is listed, the first one directly', async () => {
  const faults = [issue('has 4 fields.', 41), issue('is empty.', 42), issue('is no list.', 43)];
  serve({
    ...MIXED,
    [`GET ${HELLO}/triggers`]: {
      ...{ triggers: [], legacySchedules: [] },
      invalid: [invalid('digest', ...faults)],
    },
  });
  show('/projects/hello');
  const list = within(await screen.findByRole('list', { name: 'Triggers' }));
  list.getByText('line 41, column 3');
  const more = list.getByText('and 2 more').closest('details');
  expect(within(more as HTMLElement).getAllByRole('listitem', { hidden: true })).toHaveLength(2);
  within(more as HTMLElement).getByText('line 43, column 3');
});

test('a missing prompt file is reported once', async () => {
  const reason =
    'run.promptFile names .svc/triggers/a.md, which does not exist. Every run fails until this is fixed.';
  const failure = 'The prompt file .svc/triggers/a.md does not exist.';
  const recentRuns = [aRecent({ outcome: 'failed', reason: failure })];
  serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: {
      ...{ triggers: [aTrigger('nightly', { recentRuns })], invalid: [], legacySchedules: [] },
    },
    [`GET ${HELLO}/triggers/runtime`]: {
      runtime: [
        {
          ...{ name: 'nightly', source: 'trigger', type: 'schedule', armed: true, reason },
          ...{ nextFire: null, timezone: 'UTC', running: false, paused: false },
        },
      ],
    },
  });
  show('/projects/hello');
  const list = await screen.findByRole('list', { name: 'Triggers' });
  expect(list.textContent?.split('a.md')).toHaveLength(2);
  within(list).getByRole('link', { name: 'See why: nightly, failed' });
});

const BROKEN = {
  name: 'project.yaml',
  source: 'file',
  kind: 'unreadable',
  issues: [{ path: '', message: 'is not valid YAML.', line: 12, column: 3 }],
};

test('a broken file shows the last good triggers, which can be run and not saved', async () => {
  serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: {
      ...{ triggers: [aTrigger('nightly')], invalid: [BROKEN], legacySchedules: [] },
    },
  });
  show('/projects/hello');
  await screen.findByText('project.yaml cannot be read: line 12, column 3.');
  screen.getByText('The last valid triggers stay armed. Nothing can be saved until it is fixed.');
  expect(await screen.findByRole('button', { name: 'Run now: nightly' })).toHaveProperty(
    'disabled',
    false,
  );
  const why = 'project.yaml must be fixed or confirmed first. Nothing can be saved until then.';
  const toggle = screen.getByRole('switch', { name: 'Enabled: nightly' });
  expect([toggle.title, toggle.hasAttribute('data-disabled')]).toEqual([why, true]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'New trigger' }).title).toBe(why);
  expect(screen.queryByText(/need attention|Everything is fine/)).toBeNull();
});

test('a broken file without good triggers promises none', async () => {
  serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: { triggers: [], invalid: [BROKEN], legacySchedules: [] },
  });
  show('/projects/hello');
  await screen.findByText(/^None of its triggers are armed. Nothing can be saved/);
});

test('a broken file whose good triggers are all disabled promises none', async () => {
  serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: {
      triggers: [aTrigger('nightly', { enabled: false })],
      ...{ invalid: [BROKEN], legacySchedules: [] },
    },
    [`GET ${HELLO}/triggers/runtime`]: {
      runtime: [aRuntime('nightly', { armed: false, nextFire: null })],
    },
  });
  show('/projects/hello');
  await screen.findByText(/^None of its triggers are armed. Nothing can be saved/);
});

test.each([
  [2, '2 triggers still armed'],
  [0, 'nothing armed'],
])('for a broken file with %d armed triggers the overview says: %s', async (armed, text) => {
  const [nextFire, faults] = [null, [BROKEN.issues[0]]];
  serve({
    ...HELLO_SERVICE,
    'GET /api/projects': {
      projects: [aProject('hello', { faults, health: aHealth({ armed, nextFire }) })],
    },
    [`GET ${HELLO}/triggers`]: { triggers: [], invalid: [BROKEN], legacySchedules: [] },
  });
  show('/');
  const broken = await screen.findByRole('list', { name: 'Triggers that need attention' });
  within(broken).getByText(text);
  expect(within(broken).queryByText('not armed')).toBeNull();
});

test('while the triggers that need attention are loading, the overview says so', async () => {
  const health = aHealth({ needYou: 1, failing: 1 });
  serve({
    ...HELLO_SERVICE,
    'GET /api/projects': { projects: [aProject('hello', { health })] },
    [`GET ${HELLO}/triggers`]: () => silentStream(),
  });
  show('/');
  await screen.findByText('1 of 1 trigger needs attention');
  await within(screen.getByRole('main')).findByText('Loading');
});

test('unread runs have no icon of an outcome, because they may have failed', async () => {
  const endedAt = new Date(Date.now() + 60_000).toISOString();
  const runs = [aRun({ id: 'r1', outcome: 'failed', endedAt })];
  serve({ ...HELLO_SERVICE, [`GET ${HELLO}/runs`]: { runs, next: null, removed: null } });
  show('/');
  await userEvent.click(await screen.findByRole('button', { name: /^Projects/ }));
  const side = within(await screen.findByRole('navigation', { name: 'Projects' }));
  const unread = await side.findByTitle('1 unread');
  expect(unread.querySelector('svg')?.classList.contains('lucide-mail')).toBe(true);
});

test('a night without runs is described in a sentence', async () => {
  serve(HELLO_SERVICE);
  show('/');
  await screen.findByText(/^Scheduled before .*08:00: no runs\.$/);
});

test('runs that a global pause would skip are marked so, on the overview and in a project', async () => {
  const paused = { by: 'anna', at: new Date().toISOString(), reason: null };
  const at = new Date(Date.now() + 60_000).toISOString();
  serve({
    ...HELLO_SERVICE,
    'GET /api/status': { paused, running: [], usageToday: aUse(), costPerDay: null },
    'GET /api/projects/hello/upcoming': { fires: [{ trigger: 'nightly', at }], frequent: [] },
  });
  show('/');
  await screen.findByText(/^Scheduled before .*08:00: 1 run, skipped while paused\.$/);
  cleanup();
  show('/projects/hello');
  const heading = await screen.findByRole('heading', { name: /^Next 24 hours/ });
  await within(heading).findByText('Skipped while paused');
});

test('the project list says so when there are no projects', async () => {
  serve({ ...HELLO_SERVICE, 'GET /api/projects': { projects: [] } });
  show('/');
  await screen.findByText(/^No projects yet/);
  await userEvent.click(screen.getByRole('button', { name: /^Projects/ }));
  within(await screen.findByRole('navigation', { name: 'Projects' })).getByText('None yet');
});

test('with very many projects neither runs nor fires are fetched', async () => {
  const projects = Array.from({ length: 101 }, (_, at) => aProject(`p${at}`));
  const seen = serve({ ...HELLO_SERVICE, 'GET /api/projects': { projects } });
  show('/');
  await screen.findByText(/^There are more than 100 projects/);
  const asked = seen.filter(({ url }) => /\/(runs|upcoming)\?/.test(url));
  expect(asked).toEqual([]);
});

test('several projects with a silent trigger are not reported as healthy', async () => {
  const projects = [aProject('hello', { health: aHealth({ silent: 1 }) }), aProject('other')];
  serve({ ...HELLO_SERVICE, 'GET /api/projects': { projects } });
  show('/');
  await screen.findByText('No problems. 1 trigger is silent because the clock was set back.');
});

test.each([
  [1, 'In p0.'],
  [7, 'In p0, p1, p2, p3, p4 and 2 more.'],
])('of %i projects with silent triggers the first are named', async (count, words) => {
  const health = aHealth({ silent: 1 });
  const silent = Array.from({ length: count }, (_, at) => aProject(`p${at}`, { health }));
  serve({ ...HELLO_SERVICE, 'GET /api/projects': { projects: [...silent, aProject('other')] } });
  show('/');
  const verdict = await screen.findByText(/^No problems/);
  const places = verdict.nextElementSibling as HTMLElement;
  expect(places.textContent).toBe(words);
  expect(within(places).getAllByRole('link')[0]?.getAttribute('href')).toBe('/projects/p0');
});
