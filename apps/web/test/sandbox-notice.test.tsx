import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { show } from './page.tsx';
import { aHealth, aProject, aStatus, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const REASON = 'The program bwrap was not found. Install the package bubblewrap.';
const MISSING = 'Agents run without a sandbox.';
const STUCK = 'Agents cannot start: a sandbox is required.';
const INTENDED = 'Agents are less restricted than by default.';
const FINE = /^Everything is fine/;

const PATHS = [
  ['the overview', '/'],
  ['the settings', '/settings'],
] as const;

function serveWith(sandboxLack: object | null): void {
  serve({ ...HELLO_SERVICE, 'GET /api/status': aStatus({ sandboxLack }) });
}

test.each(PATHS)('%s: agents run without a sandbox', async (_, path) => {
  serveWith({ reason: REASON, intended: false, required: false });
  show(path);
  const notice = (await screen.findByText(MISSING)).closest('[role=status]') as HTMLElement;
  within(notice).getByText(REASON);
  if (path === '/') await screen.findByText(FINE);
});

test.each(PATHS)('%s: agents cannot start without a required sandbox', async (_, path) => {
  serveWith({ reason: REASON, intended: false, required: true });
  show(path);
  const notice = (await screen.findByText(STUCK)).closest('[role=status]') as HTMLElement;
  within(notice).getByText(REASON);
  expect(screen.queryByText(MISSING)).toBeNull();
});

test('the overview does not say that all is fine while agents cannot start', async () => {
  serveWith({ reason: REASON, intended: false, required: true });
  show('/');
  await screen.findByText(STUCK);
  await screen.findByText(/^Scheduled before/);
  expect(screen.queryByText(FINE)).toBeNull();
});

test('the overview still counts what needs attention while agents cannot start', async () => {
  const health = aHealth({ needYou: 1, failing: 1 });
  serve({
    ...HELLO_SERVICE,
    'GET /api/projects': { projects: [aProject('hello', { health })] },
    'GET /api/status': aStatus({
      sandboxLack: { reason: REASON, intended: false, required: true },
    }),
  });
  show('/');
  await screen.findByText(STUCK);
  await screen.findByText('1 of 1 trigger needs attention');
});

test('a sandbox that the settings turn off is reported by the settings only', async () => {
  const reason = 'Sandboxes are off (agents.sandbox.mode).';
  serveWith({ reason, intended: true, required: false });
  show('/settings');
  await screen.findByText(INTENDED);
  screen.getByText(reason);
  cleanup();
  show('/');
  await screen.findByText(FINE);
  expect(screen.queryByText(reason)).toBeNull();
});

test('a server of an earlier version does not say whether a sandbox is required', async () => {
  serveWith({ reason: REASON, intended: false });
  show('/');
  await screen.findByText(MISSING);
  await screen.findByText(FINE);
});

test.each(PATHS)('%s: nothing is said about agents in sandboxes', async (_, path) => {
  serveWith(null);
  show(path);
  await screen.findByText(path === '/' ? FINE : /^One server/);
  for (const title of [MISSING, STUCK, INTENDED]) expect(screen.queryByText(title)).toBeNull();
});
