import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { show } from './page.tsx';
import { aChat, aProject, aRuntimeOf, aTrigger, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const HELLO = '/api/projects/hello';
const EDITOR = '/projects/hello/triggers/nightly';
const NOT_READY = { ready: false, reason: 'its key is missing: export CLAUDE_KEY.' };
const RUNTIMES = [
  aRuntimeOf('native'),
  aRuntimeOf('claude', { cost: 'estimate' }, NOT_READY),
  aRuntimeOf(
    'reporter',
    {
      ...{ tools: [], toolAllowList: 'none', maxTurns: 'approximate' },
      ...{ permissionModes: ['default'], svcManage: 'none', resume: false },
    },
    { fence: { verdict: 'fails', reason: 'a file was written outside.' } },
  ),
];
const stored = (facts: object = {}, etag = '"v1"') => ({
  [`GET ${HELLO}/triggers/nightly`]: () =>
    Response.json(aTrigger('nightly', facts), { headers: { ETag: etag } }),
  [`PUT ${HELLO}/triggers/nightly`]: () =>
    Response.json(aTrigger('nightly', facts), { headers: { ETag: '"v2"' } }),
});
const serving = (more: object = {}) =>
  serve({
    ...HELLO_SERVICE,
    'GET /api/settings': {
      settings: {},
      clients: [],
      runtimes: RUNTIMES,
      alerts: { sinks: [], heartbeat: null },
    },
    ...stored(),
    ...more,
  });
const picker = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Runtime' });
const option = (name: string) => screen.findByRole('option', { name });
const writing = (name = 'Save to project.yaml') =>
  screen.findByRole<HTMLButtonElement>('button', { name });

async function runOfPut(seen: Request[]): Promise<object> {
  await waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true));
  const put = seen.find(({ method }) => method === 'PUT') as Request;
  return ((await put.json()) as { run: object }).run;
}

test('the runtimes are listed with their readiness, the default is marked', async () => {
  serving();
  show(EDITOR);
  await option('default (native), ready');
  const names = within(await picker()).getAllByRole('option');
  expect(names.map(({ textContent }) => textContent)).toEqual([
    'default (native), ready',
    'native, ready',
    'claude, not ready: its key is missing: export CLAUDE_KEY.',
    'reporter, ready',
  ]);
  screen.getByText(/^native enforces the tool list; .*costs nothing: playbook uses no AI\.$/);
});

test('the runtime of the project replaces the default', async () => {
  const keeper = { runtime: 'claude', model: 'slow', permissionMode: null };
  serving({ 'GET /api/projects': { projects: [aProject('hello', { keeper })] } });
  show(EDITOR);
  await screen.findByPlaceholderText('Keeper default (slow)');
  await option('project default (claude), not ready: its key is missing: export CLAUDE_KEY.');
});

test('a runtime is saved when the user selects one that is not the default', async () => {
  const seen = serving();
  show(EDITOR);
  await option('native, ready');
  await userEvent.type(screen.getByLabelText('Prompt text'), ' Twice.');
  await userEvent.click(await writing());
  expect(await runOfPut(seen)).not.toHaveProperty('runtime');
  cleanup();
  const again = serving();
  show(EDITOR);
  await option('native, ready');
  await userEvent.selectOptions(await picker(), 'native');
  await userEvent.click(await writing());
  expect(await runOfPut(again)).toMatchObject({ runtime: 'native' });
});

test('returning to the default removes the runtime', async () => {
  const run = { ...aTrigger('nightly').run, runtime: 'claude' };
  const seen = serving(stored({ run }));
  show(EDITOR);
  await option('native, ready');
  expect((await picker()).value).toBe('claude');
  await userEvent.selectOptions(await picker(), '');
  await userEvent.click(await writing());
  expect(await runOfPut(seen)).not.toHaveProperty('runtime');
});

test('limits that the selected runtime does not enforce show a warning', async () => {
  serving();
  show(EDITOR);
  await option('reporter, ready');
  const message = () => document.getElementById('field-runtime-said')?.textContent;
  expect(message()).not.toContain('is not enforced');
  await userEvent.selectOptions(await picker(), 'reporter');
  expect(message()).toContain(
    'The tool list is not enforced: reporter does not restrict its agent.',
  );
  expect(message()).toContain(
    'reporter does not enforce the tool list; counts model calls approximately',
  );
  expect((await picker()).getAttribute('aria-describedby')).toBe('field-runtime-said');
  await userEvent.click(screen.getByText('Limits and policy'));
  await userEvent.selectOptions(screen.getByLabelText('Permission mode'), 'plan');
  await userEvent.type(screen.getByLabelText('Maximum spawn depth'), '1');
  expect(message()).toContain('The permission mode plan is not enforced');
  expect(message()).toContain('The maximum spawn depth is not enforced');
  within(screen.getByRole('region', { name: 'Access' })).getByText(
    'It will not fire: reporter cannot enforce its limits.',
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Keeper' }));
  expect(message()).not.toContain('The tool list');
});

test('a limit that the service rejects is reported at its field', async () => {
  const message = 'cannot be enforced: the reporter runtime does not restrict its agent.';
  const refusal = {
    ...{ error: 'The trigger is not valid.', code: 'invalid' },
    issues: [{ path: 'run.tools', message }],
  };
  serving({
    [`PUT ${HELLO}/triggers/nightly`]: () => Response.json(refusal, { status: 400 }),
  });
  show(EDITOR);
  await option('reporter, ready');
  await userEvent.selectOptions(await picker(), 'reporter');
  await userEvent.click(await writing());
  const said = await screen.findByText(`run.tools ${message}`);
  expect(said.parentElement?.id).toBe('field-tools-said');
});

test('nothing can be saved while nothing differs, and the buttons say so', async () => {
  serving();
  show(EDITOR);
  for (const name of ['Save to project.yaml', 'Save and run now']) {
    expect(await writing(name)).toHaveProperty('disabled', true);
    expect((await writing(name)).title).toBe('No changes to save.');
  }
  await userEvent.type(screen.getByLabelText('Prompt text'), ' Twice.');
  expect(await writing()).toHaveProperty('disabled', false);
});

test.each([EDITOR, '/projects/hello/triggers/new'])(
  '%s links back to its project',
  async (path) => {
    serving();
    const { path: where } = show(path);
    await userEvent.click(await screen.findByRole('link', { name: 'Triggers of Hello' }));
    await waitFor(() => expect(where()).toBe('/projects/hello'));
  },
);

test('the settings show which limits each runtime enforces, what it lacks, and its sandbox', async () => {
  serving();
  show('/settings');
  const entry = async (name: string) =>
    within(
      (await screen.findByText(name, { exact: false, selector: 'span' })).closest(
        'li',
      ) as HTMLElement,
    );
  const claude = await entry('claude');
  claude.getByText('Not ready');
  claude.getByText(/Its key is missing: export CLAUDE_KEY\./);
  claude.getByText('svc doctor');
  claude.getByText(/reports tokens and an estimated cost\.$/);
  const reporter = await entry('reporter');
  reporter.getByText('Allow-list enforcement failed the self-test. A file was written outside.');
  reporter.getByText('Provides the tools of its command.');
  reporter.getByText('Permission modes: default.');
  reporter.getByText('Provides no svc operations.');
  reporter.getByText('Starts each turn without history.');
  const native = await entry('native');
  native.getByText('Allow-list enforcement verified.');
});

const keeper = { runsAs: 'keeper', tools: [], permissionMode: 'default', maxTurns: 30 };
const asking = aRuntimeOf('asking', { toolAllowList: 'asked', maxTurns: 'approximate' });
const blind = aRuntimeOf('blind', { tools: [], toolAllowList: 'none', maxTurns: 'none' });

test.each([
  [blind, null, [], /^Can use everything that blind provides, without restrictions\.$/, null],
  [
    asking,
    null,
    ['Read'],
    /^Can use .*Read \(enforced only for calls that the agent asks permission for\)/,
    'At most about 30 model calls',
  ],
  [aRuntimeOf('native'), 'playbook', ['Read'], /^Can use .*Read\.$/, 'At most 30 steps'],
  [aRuntimeOf('native', { cost: 'tokens' }), 'm', ['Read'], /Read\.$/, 'At most 30 model calls'],
])(
  'a chat promises only what its runtime enforces: %#',
  async (runtime, model, tools, may, most) => {
    const capability = { ...keeper, tools, maxSpawnDepth: 1 };
    const chat = aChat({ capability, runtime: runtime.id, model });
    serving({
      'GET /api/settings': {
        settings: {},
        clients: [],
        runtimes: [runtime],
        alerts: { sinks: [], heartbeat: null },
      },
      [`GET ${HELLO}/chats/s1`]: chat,
    });
    show('/projects/hello/chats/s1');
    const said = await screen.findByText(may);
    const rest = await waitFor(() => {
      const text = said.parentElement?.textContent ?? '';
      if (most !== null) expect(text).toContain(most);
      return text;
    });
    if (most === null) expect(rest).not.toContain('At most');
    expect(rest.includes('The agent is not confined')).toBe(
      runtime.holds.toolAllowList !== 'enforced',
    );
  },
);
