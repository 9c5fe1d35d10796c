import { afterEach, expect, test } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';
import {
  aProject,
  aRecent,
  aRuntime,
  aRuntimeOf,
  aTrigger,
  FAILING,
  serve,
  silentStream,
} from './service.ts';

afterEach(cleanup);

const HELLO = '/api/projects/hello';
const tool = (name: string, group: string, dangerous = false) => ({
  ...{ name, group, dangerous },
  description: name,
});
const CATALOG = {
  grantableTools: ['Read', 'Glob', 'Grep', 'Edit', 'Bash'],
  events: ['onArchive', 'afterTurn'],
  triggerTypes: ['schedule', 'event', 'webhook'],
  tools: [
    ...['Read', 'Glob', 'Grep'].map((name) => tool(name, 'files')),
    tool('Edit', 'files', true),
    tool('Bash', 'shell', true),
  ],
};
const NIGHTLY = { ...aTrigger('nightly'), policy: { overlap: 'skip' } };
const stored = (record: object, etag: string) => () =>
  Response.json(record, { headers: { ETag: etag } });
const SERVICE = {
  'GET /api/projects': { projects: [aProject('hello', { name: 'Hello' })] },
  [`GET ${HELLO}/triggers`]: {
    ...{ triggers: [NIGHTLY], invalid: [], legacySchedules: [] },
    catalog: CATALOG,
  },
  [`GET ${HELLO}/triggers/runtime`]: { runtime: [] },
  [`GET ${HELLO}/triggers/nightly`]: stored(NIGHTLY, '"v1"'),
  [`POST ${HELLO}/validate-trigger`]: { valid: true, issues: [], warnings: [] },
  'GET /api/preview': {
    upcoming: ['2026-03-03T03:00:00.000Z', '2026-03-04T03:00:00.000Z'],
    description: 'At 03:00 every day',
    firesPerDay: 2880,
    timezone: 'UTC',
  },
  'GET /api/events': silentStream,
};

async function show(name = 'nightly', queries = createQueries()): Promise<void> {
  const path = `/projects/hello/triggers/${name}`;
  const router = createPageRouter(createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} queries={queries} />);
  await screen.findByRole('button', { name: 'Save to project.yaml' }, { timeout: 10_000 });
}

const write = () => userEvent.click(screen.getByRole('button', { name: 'Save to project.yaml' }));

async function retype(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  if (text !== '') await userEvent.type(field, text);
}

async function bodyOfPut(seen: Request[]): Promise<Record<string, unknown>> {
  await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true));
  return (await seen.find(({ method }) => method === 'PUT')?.json()) as Record<string, unknown>;
}

test('a change is saved with the entity tag that was read, and keeps everything else', async () => {
  const seen = serve({ ...SERVICE, [`PUT ${HELLO}/triggers/nightly`]: stored(NIGHTLY, '"v2"') });
  await show();
  await retype('Prompt text', 'Look twice.');
  await write();
  const run = { ...NIGHTLY.run, prompt: 'Look twice.' };
  const { trigger, enabled, policy } = NIGHTLY;
  expect(await bodyOfPut(seen)).toMatchObject({ trigger, run, enabled, policy });
  const put = seen.find(({ method }) => method === 'PUT');
  expect(put?.headers.get('If-Match')).toBe('"v1"');
});

const PAUSE = {
  at: '2026-03-02T03:00:00.000Z',
  reason: 'The trigger was paused after 2 failures in a row.',
};
const LIMITED = { attention: [{ kind: 'limited', reason: 'A limit is spent.' }] };

test.each<[string, object, object, RegExp]>([
  ['all triggers are paused', {}, { paused: true }, /^All triggers are paused: its/],
  [
    'it is paused',
    {},
    { paused: true, pausedAfterFailures: PAUSE },
    /, after 2 failures in a row\./,
  ],
  ['it is not armed', {}, { armed: false, reason: 'The project is paused.' }, /^The project is/],
  ['it will fail', { problem: 'No model acts on it.' }, {}, /^No model acts on it\.$/],
  ['a limit is spent', {}, { paused: true, ...LIMITED }, /^A limit is spent\. All triggers are/],
  ['it failed', { recentRuns: [aRecent({ outcome: 'failed' })] }, FAILING, /^Last run failed /],
])('an enabled trigger shows why it does not run: %s', async (_why, trigger, state, text) => {
  serve({
    ...SERVICE,
    [`GET ${HELLO}/triggers`]: {
      ...{ triggers: [{ ...NIGHTLY, ...trigger }], invalid: [], legacySchedules: [] },
      catalog: CATALOG,
    },
    [`GET ${HELLO}/triggers/runtime`]: { runtime: [aRuntime('nightly', state)] },
  });
  await show();
  const banner = screen.getByText('nightly is saved in project.yaml and enabled.').parentElement;
  await within(banner as HTMLElement).findByText(text);
});

test('the deletion of project.yaml is not described as that of its trigger', async () => {
  const queries = createQueries();
  serve(SERVICE);
  await show('nightly', queries);
  serve({
    'GET /api/projects': { projects: [] },
    'GET /api/events': silentStream,
  });
  await queries.invalidateQueries();
  await screen.findByText(/^project\.yaml was deleted while you were editing\./);
  expect(screen.queryByText(/Saving adds it again/)).toBeNull();
});

test('the next fires are those of the armed trigger until the form changes the schedule', async () => {
  const upcoming = ['2099-03-02T11:00:00.000Z'];
  serve({
    ...SERVICE,
    [`GET ${HELLO}/triggers`]: {
      ...{ triggers: [{ ...NIGHTLY, upcoming }], invalid: [], legacySchedules: [] },
      catalog: CATALOG,
    },
  });
  await show();
  const shownFires = async () => {
    const fires = await screen.findByRole('list', { name: 'Next five runs' });
    return [...fires.querySelectorAll('time')].map(({ dateTime }) => dateTime);
  };
  await waitFor(async () => expect(await shownFires()).toEqual(upcoming));
  await retype('Cron expression', '0 4 * * *');
  await waitFor(async () => expect((await shownFires())[0]).toBe('2026-03-03T03:00:00.000Z'));
});

test('the schedule fields and the cron expression stay in sync', async () => {
  serve(SERVICE);
  await show();
  await userEvent.click(screen.getByRole('radio', { name: 'Weekly' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Fri' }));
  const cron = screen.getByLabelText<HTMLInputElement>('Cron expression');
  expect(cron.value).toBe('0 3 * * 1,5');
  await retype('Cron expression', '15 4 2 * *');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Monthly' }).checked).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('At').value).toBe('04:15');
  await retype('Cron expression', '*/7 * * * *');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Cron' }).checked).toBe(true);
});

test('presets grant tools, and each dangerous one says that it can make changes', async () => {
  const seen = serve({ ...SERVICE, [`PUT ${HELLO}/triggers/nightly`]: stored(NIGHTLY, '"v2"') });
  await show();
  screen.getByText(/^Bash is not confined/);
  await userEvent.click(screen.getByRole('button', { name: 'Read-only' }));
  screen.getByText('Agent with these tools: Read, Glob, Grep.');
  expect(screen.queryByText(/^Bash is not confined/)).toBeNull();
  const edit = screen.getByRole('checkbox', { name: 'Edit can make changes' });
  await userEvent.click(edit);
  screen.getByText('Can make changes: Edit.');
  await write();
  expect(await bodyOfPut(seen)).toMatchObject({ run: { tools: ['Read', 'Glob', 'Grep', 'Edit'] } });
});

test('the keeper is selected explicitly, never implied by an empty list', async () => {
  const seen = serve({ ...SERVICE, [`PUT ${HELLO}/triggers/nightly`]: stored(NIGHTLY, '"v2"') });
  await show();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Read' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Bash can make changes' }));
  await write();
  screen.getByText('run.tools must list at least one tool. Select a tool, or select the keeper.');
  expect(seen.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.click(screen.getByRole('radio', { name: 'Keeper' }));
  screen.getByText('Runs as the keeper, with all keeper tools.');
  await write();
  expect(await bodyOfPut(seen)).toMatchObject({ run: { tools: [] } });
});

test('errors of the service appear at their field, in its words', async () => {
  const issues = [
    { path: 'trigger.cron', message: 'has 4 fields.' },
    { path: 'run.timeout', message: 'is in years.' },
  ];
  serve({
    ...SERVICE,
    [`POST ${HELLO}/validate-trigger`]: { valid: false, issues, warnings: [] },
  });
  await show();
  const said = await screen.findByText('trigger.cron has 4 fields.');
  const cron = screen.getByLabelText('Cron expression');
  expect(cron.getAttribute('aria-invalid')).toBe('true');
  expect(said.parentElement?.id).toBe(cron.getAttribute('aria-describedby'));
  await screen.findByText('run.timeout is in years.');
});

test('a new trigger shows no errors until the user tries to save it', async () => {
  const seen = serve({
    ...SERVICE,
    [`POST ${HELLO}/validate-trigger`]: {
      valid: false,
      issues: [{ path: 'run.prompt', message: 'or promptFile is required.' }],
      warnings: [],
    },
  });
  await show('new');
  await waitFor(() => expect(seen.some(({ method }) => method === 'POST')).toBe(true));
  expect(screen.queryByText(/promptFile is required/)).toBeNull();
  await write();
  await screen.findByText('run.prompt or promptFile is required.');
  screen.getByText('name must not be blank.');
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

test('a new trigger says before saving that it will be disabled', async () => {
  serve(SERVICE);
  await show('new');
  screen.getByText('A new trigger is disabled until you enable it.');
  cleanup();
  await show();
  expect(screen.queryByText('A new trigger is disabled until you enable it.')).toBeNull();
});

test('the change of the file is shown when the service reports it', async () => {
  const edit = { before: 'a\nb: 1\nc', after: 'a\nb: 2\u202e\nc', etag: '"v1"' };
  serve({
    ...SERVICE,
    [`POST ${HELLO}/validate-trigger`]: { valid: true, issues: [], warnings: [], edit },
  });
  await show();
  const lines = within(await screen.findByRole('region', { name: 'Changed lines' }));
  const signs = ['- b: 1', '+ b: 2[U+202E]'].map((text) => lines.getByText(text).dataset['sign']);
  expect(signs).toEqual(['-', '+']);
});

test('many runs a day show a cost warning where they may cost money', async () => {
  const runtimes = [aRuntimeOf('native', { cost: 'tokens' })];
  serve({
    ...SERVICE,
    'GET /api/settings': {
      settings: {},
      clients: [],
      runtimes,
      alerts: { sinks: [], heartbeat: null },
    },
  });
  await show();
  await screen.findByText(/About 2,880 runs a day\. Each may incur model costs\./);
  const fires = screen.getByRole('list', { name: 'Next five runs' });
  expect(within(fires).getAllByRole('listitem')).toHaveLength(2);
  await userEvent.type(screen.getByLabelText('Model'), 'playbook');
  await waitFor(() => expect(screen.queryByText(/may incur model costs/)).toBeNull());
  screen.getByText(/About 2,880 runs a day\.$/);
});

test('many runs a day show no cost warning where the playbook is the default', async () => {
  const settings = { 'runtime.native.model': { value: 'playbook', source: 'file' } };
  const runtimes = [aRuntimeOf('native', { cost: 'tokens' })];
  serve({
    ...SERVICE,
    'GET /api/settings': {
      settings,
      clients: [],
      runtimes,
      alerts: { sinks: [], heartbeat: null },
    },
  });
  await show();
  await screen.findByText(/^native enforces the tool list/);
  await screen.findByText(/About 2,880 runs a day\.$/);
  await userEvent.type(screen.getByLabelText('Model'), 'gpt');
  await screen.findByText(/Each may incur model costs\./);
});

const BROKEN = {
  name: 'broken',
  source: 'trigger',
  issues: [{ path: 'trigger.cron', message: 'has 4 fields.', line: 41, column: 13 }],
};
const REPLACING = {
  ...SERVICE,
  [`GET ${HELLO}/triggers`]: {
    ...{ triggers: [], invalid: [BROKEN], legacySchedules: [] },
    catalog: CATALOG,
  },
  [`GET ${HELLO}/triggers/broken`]: () =>
    Response.json({ error: 'None.', code: 'not_found' }, { status: 404 }),
  [`PUT ${HELLO}/triggers/broken`]: stored(aTrigger('broken'), '"v1"'),
};

test('the replacement of an invalid entry shows no errors until the user tries to save it', async () => {
  const issues = [{ path: 'run.prompt', message: 'is required.' }];
  const seen = serve({
    ...REPLACING,
    [`POST ${HELLO}/validate-trigger`]: { valid: false, issues, warnings: [] },
    [`PUT ${HELLO}/triggers/broken`]: () =>
      Response.json({ error: 'No.', code: 'invalid', issues }, { status: 400 }),
  });
  await show('broken');
  await waitFor(() => expect(seen.some(({ url }) => url.includes('validate'))).toBe(true));
  await screen.findByText(/At 03:00 every day/);
  const prompt = screen.getByLabelText('Prompt text');
  expect(prompt.getAttribute('aria-invalid')).toBe('false');
  await write();
  await waitFor(() => expect(prompt.getAttribute('aria-invalid')).toBe('true'));
  screen.getByText('run.prompt is required.');
});

test('an invalid entry says so, and is replaced as a whole', async () => {
  const seen = serve(REPLACING);
  await show('broken');
  screen.getByText(/line 41, column 13/);
  await retype('Prompt text', 'Look.');
  await write();
  expect(await bodyOfPut(seen)).toMatchObject({ run: { prompt: 'Look.' } });
  const put = seen.find(({ method }) => method === 'PUT');
  expect(put?.headers.get('If-Match')).toBeNull();
});

test('a missing trigger says so', async () => {
  serve({
    ...SERVICE,
    [`GET ${HELLO}/triggers/gone`]: () =>
      Response.json({ error: 'None.', code: 'not_found' }, { status: 404 }),
  });
  const initialEntries = ['/projects/hello/triggers/gone'];
  const router = createPageRouter(createMemoryHistory({ initialEntries }));
  render(<App router={router} queries={createQueries()} />);
  await screen.findByRole('heading', { name: 'Trigger not found' });
  screen.getByRole('link', { name: 'Triggers of Hello' });
});

const LISTED = { ...NIGHTLY, run: { ...NIGHTLY.run, network: ['api.github.com'] } };
const choice = (name: string) =>
  within(screen.getByRole('group', { name: 'Hosts it may connect to' })).getByRole('radio', {
    name,
  });

test('hosts without changes are not saved, and each choice is saved as its list', async () => {
  const seen = serve({
    ...SERVICE,
    [`GET ${HELLO}/triggers/nightly`]: stored(LISTED, '"v1"'),
    [`PUT ${HELLO}/triggers/nightly`]: stored(LISTED, '"v2"'),
  });
  await show();
  const save = screen.getByRole('button', { name: 'Save to project.yaml' });
  expect(save.title).toBe('No changes to save.');
  await userEvent.type(screen.getByLabelText('Listed hosts'), '{Enter}');
  expect(save.title).toBe('No changes to save.');
  await userEvent.click(choice('None'));
  expect(screen.queryByLabelText('Listed hosts')).toBeNull();
  await userEvent.click(choice('Only these'));
  expect(save.title).toBe('No changes to save.');
  await userEvent.click(choice('As the project'));
  await write();
  expect((await bodyOfPut(seen))['run']).not.toHaveProperty('network');
});

test('an error of a host is shown at the list', async () => {
  const message = 'must not contain a scheme.';
  const issues = [{ path: 'run.network[0]', message }];
  serve({
    ...SERVICE,
    [`GET ${HELLO}/triggers/nightly`]: stored(LISTED, '"v1"'),
    [`POST ${HELLO}/validate-trigger`]: { valid: false, issues, warnings: [] },
  });
  await show();
  await retype('Listed hosts', 'https://a.example');
  await screen.findByText(`run.network[0] ${message}`);
  const field = screen.getByLabelText('Listed hosts');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const said = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(said?.textContent).toContain(message);
  await retype('Listed hosts', '');
  await screen.findByText('run.network must list at least one host. Add a host, or select None.');
});
