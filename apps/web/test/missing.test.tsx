import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { show } from './page.tsx';
import { HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

test('the longer address of the triggers redirects to them', async () => {
  serve(HELLO_SERVICE);
  const { path } = show('/projects/hello/triggers');
  await screen.findByRole('switch', { name: 'Enabled: nightly' });
  expect(path()).toBe('/projects/hello');
});

test.each(['', '/runs', '/chats', '/triggers/new', '/triggers/x', '/runs/x', '/chats/x'])(
  'a missing project says so at /projects/nope%s, without any controls',
  async (rest) => {
    serve(HELLO_SERVICE);
    show(`/projects/nope${rest}`);
    await screen.findByRole('heading', { name: 'Project not found', level: 1 });
    screen.getByRole('link', { name: 'Go to the overview' });
    for (const name of ['Runs', 'Chats', 'New trigger']) {
      expect(screen.queryByRole('link', { name })).toBeNull();
    }
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test.each([
  ['/triggers/x', 'Trigger not found', 'Triggers of Hello'],
  ['/runs/x', 'Run not found', 'Runs of Hello'],
])('at /projects/hello%s: %s, and %s', async (rest, title, way) => {
  serve(HELLO_SERVICE);
  show(`/projects/hello${rest}`);
  await screen.findByRole('heading', { name: title, level: 1 });
  screen.getByRole('link', { name: way });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a missing chat says so, and links to all others', async () => {
  serve(HELLO_SERVICE);
  show('/projects/hello/chats/x');
  await screen.findByText(/^Chat not found\./);
  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: 'All chats' }).length).not.toBe(0),
  );
});
