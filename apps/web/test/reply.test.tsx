import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { show } from './page.tsx';
import { aChat, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const HELLO = '/api/projects/hello';
const SERVICE = {
  ...HELLO_SERVICE,
  [`GET ${HELLO}/chats/s2`]: aChat({ sessionId: 's2' }),
  [`POST ${HELLO}/chats/s1/messages`]: { ok: true },
};
const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

/** Simulates a reload: a new page in the same tab. */
function reload(path: string): void {
  cleanup();
  show(path);
}

test('unsent chat text is restored after a reload, in that chat alone', async () => {
  serve(SERVICE);
  show('/projects/hello/chats/s1');
  await userEvent.type(await box(), 'Half a thought');
  reload('/projects/hello/chats/s2');
  expect((await box()).value).toBe('');
  reload('/projects/hello/chats/s1');
  expect((await box()).value).toBe('Half a thought');
});

test('unsent chat text is not shown to another user of the same tab, nor to the first user afterwards', async () => {
  const as = (user: string) =>
    serve({
      ...SERVICE,
      'GET /api/session': { mode: 'trusted-header', signedIn: true, user, role: 'write' },
    });
  as('ada');
  show('/projects/hello/chats/s1');
  await userEvent.type(await box(), 'Half a thought');
  for (const user of ['ben', 'ada']) {
    as(user);
    reload('/projects/hello/chats/s1');
    expect((await box()).value).toBe('');
  }
});

test('unsent chat text is restored after the same user signs in again', async () => {
  const session = (facts: object) => ({
    'GET /api/session': { mode: 'jwt', signedIn: true, user: 'ada', role: 'write', ...facts },
  });
  serve({ ...SERVICE, ...session({}) });
  show('/projects/hello/chats/s1');
  await userEvent.type(await box(), 'Half a thought');
  serve({ ...SERVICE, ...session({ signedIn: false, user: null, role: null }) });
  reload('/projects/hello/chats/s1');
  await screen.findByText(/^An identity provider handles sign-in/);
  serve({ ...SERVICE, ...session({}) });
  reload('/projects/hello/chats/s1');
  expect((await box()).value).toBe('Half a thought');
});

test('the turn of a user can be cancelled in its chat', async () => {
  const seen = serve({
    ...SERVICE,
    [`GET ${HELLO}/chats/s1`]: aChat({ running: true }),
    [`POST ${HELLO}/chats/s1/cancel`]: { sessionId: 's1', turnId: 't1', runId: null },
  });
  show('/projects/hello/chats/s1');
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  const path = `${HELLO}/chats/s1/cancel`;
  await waitFor(() => expect(seen.some(({ url }) => url.endsWith(path))).toBe(true));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('sent text is not restored', async () => {
  serve(SERVICE);
  show('/projects/hello/chats/s1');
  await userEvent.type(await box(), 'All of it');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(async () => expect((await box()).value).toBe(''));
  reload('/projects/hello/chats/s1');
  expect((await box()).value).toBe('');
});

test('text that could not be sent is restored', async () => {
  const refusal = { error: 'Too many turns wait.', code: 'conflict' };
  serve({
    ...SERVICE,
    [`POST ${HELLO}/chats/s1/messages`]: () => Response.json(refusal, { status: 409 }),
  });
  show('/projects/hello/chats/s1');
  await userEvent.type(await box(), 'Once more');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Too many turns wait.');
  reload('/projects/hello/chats/s1');
  expect((await box()).value).toBe('Once more');
});

test('signing out removes all unsent text', async () => {
  const session = { mode: 'token', signedIn: true, user: null, role: 'write' };
  serve({
    ...SERVICE,
    'GET /api/session': session,
    'DELETE /api/session': { ...session, signedIn: false, role: null },
  });
  show('/projects/hello/chats/s1');
  await userEvent.type(await box(), 'Mine alone');
  await userEvent.click(await screen.findByRole('button', { name: /^Projects/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(sessionStorage.length).toBe(0));
});

test.each([
  [['Bash'], 'default', 'cannot start turns'],
  [['Bash', 'Task'], 'default', 'can start turns, at most 1 level deep'],
  [['mcp__svc_manage__list_chats'], 'default', 'cannot start turns'],
  [['mcp__svc_manage__run_trigger'], 'default', 'can start turns, at most 1 level deep'],
  [['Task'], 'plan', 'cannot start turns'],
])('a chat with %j in mode %s says: %s', async (tools, permissionMode, words) => {
  const capability = { runsAs: 'agent', tools, permissionMode, maxTurns: 30, maxSpawnDepth: 1 };
  serve({ ...SERVICE, [`GET ${HELLO}/chats/s1`]: aChat({ capability }) });
  show('/projects/hello/chats/s1');
  const said = await screen.findByText(/^At most 30 model calls/);
  expect(said.textContent).toContain(words);
});
