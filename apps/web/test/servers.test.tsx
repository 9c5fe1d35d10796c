import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { serversOf } from '../src/model/server-text.ts';
import { show } from './page.tsx';
import { aServer, aStatus, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const at = (seconds: string) => ({ heartbeatAt: `2026-03-02T${seconds}.000Z` });

async function servers(status: object) {
  serve({ ...HELLO_SERVICE, 'GET /api/status': status });
  show('/settings');
  const heading = await screen.findByRole('heading', { name: 'Servers' });
  return heading.closest('section') as HTMLElement;
}

// proves: page.servers
test('a single server is one line', async () => {
  const section = await servers(aStatus());
  expect(section.textContent).toBe('ServersOne server: atlas, version 1.0.0, started 3 h ago.');
});

// proves: page.servers
test('several servers are listed, on the clock of the answering one, with irregularities', async () => {
  const nodes = [
    aServer('atlas', { running: 2 }),
    aServer('bora', { version: '1.1.0', running: 1, ...at('02:59:50') }),
    aServer('cyr', at('02:59:47')),
  ];
  const section = await servers(aStatus({ nodes }));
  const entries = within(section).getAllByRole('listitem');
  const texts = entries.map(({ textContent }) => textContent);
  expect(texts.filter((text) => /^(atlas|bora|cyr)/.test(text ?? ''))).toEqual([
    'atlas serves this pageOnline Last heartbeat 0 s ago.Running 2 turns.Version 1.0.0, started 3 h ago.',
    'boraOnline Last heartbeat 10 s ago.Running 1 turn.Version 1.1.0, started 3 h ago.',
    'cyrNot responding Last heartbeat 13 s ago. After 20 s, other servers take over its projects.Running no turns.Version 1.0.0, started 3 h ago.',
  ]);
  within(section).getByText('The servers run different versions.');
  within(section).getByText(/^1\.0\.0 \(atlas, cyr\), 1\.1\.0 \(bora\)\./);
});

// proves: page.servers, nodes.not-alike
test('differences between servers that must not differ are reported', async () => {
  const nodes = [aServer('atlas'), aServer('bora')];
  const difference = 'The time zone differs between servers: UTC on atlas; Asia/Tokyo on bora.';
  const section = await servers(aStatus({ nodes, differences: [difference] }));
  within(section).getByText('The servers have different settings.');
  within(section).getByText(difference);
});

// proves: page.servers
test('each server shows its address and projects, and stopped or evicted ones how they ended', async () => {
  const nodes = [aServer('atlas', { id: 'a' }), aServer('atlas', { id: 'b' })];
  const places = [
    { node: 'a', url: 'http://10.0.0.4:7420', home: '/srv/one', projects: 3 },
    { node: 'b', url: null, home: null, projects: 1 },
  ];
  const lost = {
    ...aServer('bora', { id: 'c', url: null, home: '/srv/two', projects: 2, how: 'lost' }),
    goneAt: '2026-03-02T03:00:21.000Z',
  };
  const idle = { ...lost, id: 'e', projects: 0 };
  const gone = [lost, idle, { ...lost, id: 'd', home: null, projects: null, how: 'stopped' }];
  const section = await servers(aStatus({ nodes, places, gone }));
  const text = section.textContent ?? '';
  expect(text).toContain('Owns 3 projects.Running no turns./srv/one at http://10.0.0.4:7420');
  expect(text).toContain('Owns 1 project.Running no turns.Version');
  within(section).getByRole('heading', { name: 'Stopped or lost in the last 24 hours' });
  expect(text).toMatch(
    /bora\/srv\/twoLost Last heartbeat: .*It was killed or disconnected\. Other servers took over its 2 projects 21 s after its last heartbeat\./,
  );
  expect(text).toContain('It was killed or disconnected, and owned no projects.');
  expect(text).toMatch(/boradStopped Shut down: /);
});

// proves: page.servers
test('several servers are polled, and a failed request is reported', async () => {
  const nodes = [aServer('atlas'), aServer('bora')];
  let asked = 0;
  const answer = (): Response => {
    asked += 1;
    if (asked < 2) return Response.json(aStatus({ nodes }));
    return Response.json({ error: 'The database is away.', code: 'unavailable' }, { status: 503 });
  };
  const section = await servers(answer);
  const alert = await within(section).findByRole('alert', undefined, { timeout: 30_000 });
  expect(alert.textContent).toBe('This information may be out of date: The database is away.');
  expect(asked).toBeGreaterThan(1);
}, 40_000);

test('servers of one host are distinguished, and an answer without its own server still has a time', () => {
  const two = [aServer('atlas', { id: 'a', ...at('02:59:40') }), aServer('atlas', { id: 'b' })];
  expect(serversOf(two, undefined)).toMatchObject([
    { mark: 'a', isThis: false, isSilent: true, seen: '20 s ago' },
    { mark: 'b', isThis: false, isSilent: false, seen: '0 s ago' },
  ]);
});
