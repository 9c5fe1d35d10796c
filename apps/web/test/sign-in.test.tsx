import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';
import { readUnsentText, storeUnsentText } from '../src/data/unsent-text.ts';
import { aProject, aRuntime, aTrigger, serve, silentStream } from './service.ts';

afterEach(cleanup);
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const HELLO = '/api/projects/hello';
const READING = {
  'GET /api/projects': { projects: [aProject('hello', { name: 'Hello' })] },
  [`GET ${HELLO}/triggers`]: {
    triggers: [aTrigger('nightly')],
    invalid: [
      {
        name: 'digest',
        source: 'trigger',
        issues: [{ path: 'trigger.cron', message: 'has 4 fields.', line: 41, column: 13 }],
      },
    ],
    legacySchedules: [],
  },
  [`GET ${HELLO}/triggers/runtime`]: { runtime: [aRuntime('nightly')] },
  [`GET ${HELLO}/upcoming`]: { fires: [], frequent: [] },
  [`GET ${HELLO}/runs`]: { runs: [], next: null },
  'GET /api/events': silentStream,
};
const SIGNED_IN = { mode: 'token', signedIn: true, user: null, role: 'write' };
const SIGNED_OUT = { mode: 'token', signedIn: false, user: null, role: null };
const SIGN_IN_FIRST = { error: 'Sign in on the page.', code: 'auth_required' };

function show(path: string) {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createPageRouter(history);
  render(<App router={router} queries={createQueries()} />);
  return { path: () => router.state.location.pathname, href: () => router.state.location.href };
}

/** A service that refuses every request until the right token is sent. */
function guarded(answers: object = {}) {
  const state = { isIn: false };
  const guard = (answer: unknown) => () => {
    if (!state.isIn) return Response.json(SIGN_IN_FIRST, { status: 401 });
    return typeof answer === 'function' ? (answer() as Response) : Response.json(answer);
  };
  const all = { ...READING, ...answers };
  const seen = serve({
    ...Object.fromEntries(Object.entries(all).map(([path, answer]) => [path, guard(answer)])),
    'GET /api/session': () => Response.json(state.isIn ? SIGNED_IN : SIGNED_OUT),
    'POST /api/session': () => {
      state.isIn = true;
      return Response.json(SIGNED_IN);
    },
    'DELETE /api/session': () => {
      state.isIn = false;
      return Response.json(SIGNED_OUT);
    },
  });
  return { state, seen };
}

async function enterToken(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('Access token'), 'right');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('a signed-out user is redirected to the sign-in, and from there to the wanted address', async () => {
  guarded();
  const { path, href } = show('/projects/hello');
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(href()).toBe('/sign-in?next=%2Fprojects%2Fhello');
  expect(screen.queryByRole('navigation')).toBeNull();
  await enterToken();
  await screen.findByRole('switch', { name: 'Enabled: nightly' });
  expect(path()).toBe('/projects/hello');
});

test('an address of another site is ignored after the sign-in', async () => {
  guarded();
  const { path, href } = show('/sign-in?next=%2F%5Cevil.example');
  await screen.findByRole('heading', { name: 'Sign in' });
  await enterToken();
  await screen.findByRole('heading', { name: 'Overview' });
  expect([path(), href()]).toEqual(['/', '/']);
});

test('a wrong token is reported', async () => {
  const refusal = { error: 'This is not the access token.', code: 'auth_required' };
  serve({
    'GET /api/session': SIGNED_OUT,
    'POST /api/session': () => Response.json(refusal, { status: 401 }),
  });
  show('/sign-in');
  await enterToken();
  await screen.findByText('This is not the access token.');
  expect(screen.getByLabelText('Access token').getAttribute('aria-invalid')).toBe('true');
});

test('too many wrong tokens show how long to wait, and disable the form', async () => {
  const refusal = { error: 'Too many.', code: 'too_many_requests' };
  const headers = { 'Retry-After': '42' };
  serve({
    'GET /api/session': SIGNED_OUT,
    'POST /api/session': () => Response.json(refusal, { status: 429, headers }),
  });
  show('/sign-in');
  await enterToken();
  await screen.findByText(/^Try again in 4[12] s\.$/);
  expect(screen.getByRole('button', { name: 'Sign in' })).toHaveProperty('disabled', true);
});

test.each([
  ['trusted-header', { signedIn: false, user: null }, /^A proxy handles sign-in/],
  ['jwt', { signedIn: false, user: null }, /^An identity provider handles sign-in/],
  ['jwt', { signedIn: true, user: 'ada' }, /^You are signed in as ada\.$/],
])('in mode %s there is a reason instead of a form (%j)', async (mode, facts, reason) => {
  serve({ 'GET /api/session': { mode, role: null, ...facts } });
  show('/projects/hello');
  await screen.findByText(reason);
  expect(screen.queryByLabelText('Access token')).toBeNull();
});

test('unsent text survives an expired session: the sign-in opens on top', async () => {
  const created = { ...aProject('notes', { name: 'Notes' }), triggerCount: 0 };
  const { state, seen } = guarded({
    'POST /api/projects': () => Response.json(created, { status: 201 }),
  });
  state.isIn = true;
  const { path } = show('/');
  await userEvent.click(await screen.findByRole('button', { name: 'New project' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Notes');
  state.isIn = false;
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' });
  await screen.findByText('Signed out');
  const streams = () => seen.filter(({ url }) => url.endsWith('/api/events')).length;
  const before = streams();
  await userEvent.type(within(dialog).getByLabelText('Access token'), 'right');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign in again' })).toBeNull());
  await waitFor(() => expect(streams()).toBe(before + 1));
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Notes');
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(path()).toBe('/projects/notes'));
});

test('signing out ends the session and opens the sign-in', async () => {
  const { state, seen } = guarded();
  state.isIn = true;
  const { href } = show('/projects/hello');
  await userEvent.click(await screen.findByRole('button', { name: /^Projects/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
  await screen.findByLabelText('Access token');
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(true);
  expect(href()).toBe('/sign-in?next=%2Fprojects%2Fhello');
});

test('other tabs follow a sign-out: nothing shown or typed remains for the next user', async () => {
  const { state } = guarded();
  state.isIn = true;
  const { href } = show('/projects/hello');
  await screen.findByRole('switch', { name: 'Enabled: nightly' });
  storeUnsentText('hello/s1', 'Half a thought');
  state.isIn = false;
  dispatchEvent(new StorageEvent('storage', { key: 'svc.signedOut' }));
  await screen.findByLabelText('Access token');
  expect(href()).toBe('/sign-in?next=%2Fprojects%2Fhello');
  expect(screen.queryByText('nightly')).toBeNull();
  await waitFor(() => expect(readUnsentText('hello/s1')).toBe(''));
});

test('each sign-out notifies the other tabs', async () => {
  const notified = new Set<string | null>();
  for (let time = 0; time < 2; time += 1) {
    const { state } = guarded();
    state.isIn = true;
    show('/projects/hello');
    await userEvent.click(await screen.findByRole('button', { name: /^Projects/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
    await screen.findByLabelText('Access token');
    await waitFor(() => expect(notified.has(localStorage.getItem('svc.signedOut'))).toBe(false));
    notified.add(localStorage.getItem('svc.signedOut'));
    cleanup();
  }
  expect(notified.has(null)).toBe(false);
});

test('direction marks in user names are replaced by their code points', async () => {
  const name = 'Hello\u202egpj';
  serve({
    ...READING,
    'GET /api/session': { ...SIGNED_IN, mode: 'jwt', user: 'a\u202ed' },
    'GET /api/projects': { projects: [aProject('hello', { name })] },
  });
  show('/projects/hello');
  await screen.findByRole('heading', { name: 'Hello[U+202E]gpj' });
  await userEvent.click(screen.getByRole('button', { name: /^Projects/ }));
  await screen.findByText('a[U+202E]d');
  await waitFor(() => expect(document.title).toBe('Hello[U+202E]gpj, svc'));
  expect(document.documentElement.outerHTML).not.toContain('\u202e');
});

test('a reader sees everything, cannot change anything, and sees why', async () => {
  serve({
    ...READING,
    'GET /api/session': { mode: 'jwt', signedIn: true, user: 'ada', role: 'read' },
  });
  show('/projects/hello');
  const toggle = await screen.findByRole('switch', { name: 'Enabled: nightly' });
  await waitFor(() => expect(toggle.hasAttribute('data-disabled')).toBe(true));
  for (const name of ['New trigger', 'Run now: nightly', 'Replace']) {
    const control = screen.getByRole('button', { name });
    expect(control).toHaveProperty('disabled', true);
    expect(control.title).toMatch(/^You have read-only access/);
  }
  await userEvent.click(screen.getByRole('button', { name: 'More actions: nightly' }));
  const removal = await screen.findByRole('menuitem', { name: 'Delete' });
  expect(removal.getAttribute('aria-disabled')).toBe('true');
});

test('the errors of a new project appear at their fields', async () => {
  const issues = [{ path: 'slug', message: 'may hold letters and digits.' }];
  const refusal = { error: 'The input is not valid.', code: 'invalid', issues };
  const seen = serve({
    ...READING,
    'POST /api/projects': () => Response.json(refusal, { status: 400 }),
  });
  show('/');
  await userEvent.click(await screen.findByRole('button', { name: 'New project' }));
  await userEvent.click(await screen.findByRole('radio', { name: /clone/ }));
  await userEvent.type(await screen.findByLabelText('Git repository'), 'https://git.example/x');
  await userEvent.type(screen.getByLabelText('Name'), 'Notes');
  await userEvent.type(screen.getByLabelText(/^Folder/), 'a b');
  await userEvent.click(screen.getByRole('button', { name: 'Clone' }));
  await screen.findByText('may hold letters and digits.');
  const folder = screen.getByLabelText(/^Folder/);
  expect(folder.getAttribute('aria-invalid')).toBe('true');
  const post = seen.find(({ method }) => method === 'POST');
  expect(await post?.json()).toEqual({
    name: 'Notes',
    slug: 'a b',
    repo: 'https://git.example/x',
  });
});
