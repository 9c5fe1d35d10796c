import { afterEach, expect, jest, test } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { show } from './page.tsx';
import { aRuntime, aTrigger, HELLO_SERVICE, serve, silentStream } from './service.ts';

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  onlineManager.setOnline(true);
});

const SERVICE = {
  ...HELLO_SERVICE,
  'GET /api/events': silentStream,
  'GET /api/projects/hello/triggers': {
    triggers: [aTrigger('nightly')],
    ...{ invalid: [], legacySchedules: [] },
  },
  'GET /api/projects/hello/triggers/runtime': { runtime: [aRuntime('nightly')] },
};

/** Takes the network of the page away or restores it, with the events of a browser. */
function network(isThere: boolean): void {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(isThere);
  act(() => void dispatchEvent(new Event(isThere ? 'online' : 'offline')));
}

// proves: page.offline
test('an action while offline fails at once with a message, the header says so, and nothing is sent later', async () => {
  const user = userEvent.setup();
  const seen = serve(SERVICE);
  const answers = globalThis.fetch;
  show('/projects/hello');
  await screen.findByText('Live');
  const runNow = await screen.findByRole('button', { name: 'Run now: nightly' });
  globalThis.fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  network(false);
  await user.click(runNow);
  await screen.findByText(/^You are offline, so nothing was sent/);
  await screen.findByText('Connection lost');
  globalThis.fetch = answers;
  network(true);
  await screen.findByText('Live');
  expect(seen.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('an action works when the service is reachable although the browser is offline', async () => {
  const user = userEvent.setup();
  const seen = serve(SERVICE);
  show('/projects/hello');
  await screen.findByText('Live');
  const runNow = await screen.findByRole('button', { name: 'Run now: nightly' });
  network(false);
  await user.click(runNow);
  await screen.findByText('Live');
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a service that does not respond is not reported as an offline browser', async () => {
  const user = userEvent.setup();
  serve(SERVICE);
  show('/projects/hello');
  await screen.findByText('Live');
  const runNow = await screen.findByRole('button', { name: 'Run now: nightly' });
  globalThis.fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  await user.click(runNow);
  await screen.findByText(
    /^The service did not respond, so the change may or may not have been made/,
  );
  await screen.findByText('Connection lost');
});
