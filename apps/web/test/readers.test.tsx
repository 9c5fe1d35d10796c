import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { show } from './page.tsx';
import { aChat, aRun, aRuntime, aTrigger, aUse, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const HELLO = '/api/projects/hello';
const READER = { mode: 'jwt', signedIn: true, user: 'ada', role: 'read' };
const MAY_NOT = 'You have read-only access: your role is read.';
const AS_READER = { ...HELLO_SERVICE, 'GET /api/session': READER };

/** A service that delays the answer about the session until it is released. */
function heldBack(answers: object, session: object = READER) {
  let tell = (): void => {};
  const released = new Promise<void>((resolve) => {
    tell = resolve;
  });
  serve({ ...HELLO_SERVICE, ...answers });
  const answered = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (!new URL((input as Request).url).pathname.endsWith('/session'))
      return answered(input, init);
    await released;
    return Response.json(session);
  };
  return { tell: () => tell() };
}

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

test.each([
  ['/', ['New project', 'Pause all']],
  ['/projects/hello', ['New trigger', 'Run now: nightly']],
  [
    '/projects/hello/triggers/nightly',
    ['Enable', 'Run now: nightly', 'Save to project.yaml', 'Save and run now'],
  ],
  ['/projects/hello/triggers/new', ['Save to project.yaml', 'Save and run now']],
  ['/projects/hello/runs/r1', ['Run again: nightly']],
  ['/projects/hello/runs/r2', ['Cancel']],
  ['/projects/hello/chats/s1', ['Fork', 'Archive']],
  ['/projects/hello/chats', ['New chat']],
])('for a reader at %s, %j is disabled, with the reason', async (path, names) => {
  const off = aTrigger('nightly', { enabled: false });
  serve({
    ...AS_READER,
    [`GET ${HELLO}/triggers/nightly`]: () => Response.json(off, { headers: { ETag: '"v1"' } }),
    [`GET ${HELLO}/runs/r2`]: aRun({ id: 'r2', state: 'running', outcome: null, endedAt: null }),
  });
  show(path);
  for (const name of names) {
    const control = await button(name);
    await waitFor(() => expect(control.title).toBe(MAY_NOT));
    expect(control.disabled).toBe(true);
  }
});

test('a reader sees in the editor and in a chat why nothing can be saved', async () => {
  serve(AS_READER);
  show('/projects/hello/triggers/nightly');
  await screen.findByText(MAY_NOT);
  cleanup();
  show('/projects/hello/chats/s1');
  await screen.findByText(MAY_NOT);
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
});

test.each([
  ['/', 'New project'],
  ['/projects/hello', 'New trigger'],
  ['/projects/hello', 'Run now: nightly'],
  ['/projects/hello/runs/r1', 'Run again: nightly'],
  ['/projects/hello/chats', 'New chat'],
])('at %s nothing can be changed before the user is known (%s)', async (path, name) => {
  const { tell } = heldBack({});
  show(path);
  expect(await button(name)).toHaveProperty('disabled', true);
  tell();
  await waitFor(() => expect(screen.getByRole('button', { name }).title).toBe(MAY_NOT));
});

test('controls are enabled once the user is known', async () => {
  const { tell } = heldBack({}, { ...READER, role: 'write' });
  show('/projects/hello');
  expect(await button('Run now: nightly')).toHaveProperty('disabled', true);
  tell();
  await waitFor(async () =>
    expect(await button('Run now: nightly')).toHaveProperty('disabled', false),
  );
  await screen.findByRole('link', { name: 'New trigger' });
});

test.each([
  ['/projects/hello/triggers/nightly', 'Save to project.yaml'],
  ['/projects/hello/chats/s1', 'Send'],
])('%s waits for the session, so that %s does not vanish', async (path, name) => {
  const { tell } = heldBack({ [`GET ${HELLO}/chats/s1`]: aChat() }, { ...READER, role: 'write' });
  show(path);
  await screen.findByRole('heading', { level: 1 });
  await screen.findByText('Loading');
  expect(screen.queryByRole('button', { name })).toBeNull();
  tell();
  await button(name);
});

// proves: pausing.page.readers
test('a reader sees what is paused, by whom and why, and cannot resume it', async () => {
  const pause = {
    at: new Date().toISOString(),
    reason: 'The trigger was paused after 2 failures in a row.',
  };
  serve({
    ...AS_READER,
    [`GET ${HELLO}/triggers/runtime`]: {
      runtime: [aRuntime('nightly', { paused: true, pausedAfterFailures: pause })],
    },
    'GET /api/status': {
      ...{ running: [], usageToday: aUse(), costPerDay: null },
      paused: { by: 'anna', at: new Date().toISOString(), reason: 'Moving.' },
    },
  });
  show('/projects/hello');
  await screen.findByText(/Paused by anna: Moving\./);
  await screen.findByText(/^Paused , after 2 failures in a row\.$/);
  for (const name of ['Resume all triggers', 'Resume: nightly']) {
    const control = await button(name);
    await waitFor(() => expect(control.title).toBe(MAY_NOT));
    expect(control.disabled).toBe(true);
  }
});
