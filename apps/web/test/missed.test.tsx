import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { lateText } from '../src/model/run-text.ts';
import { valueText } from '../src/model/setting-groups.ts';
import { dueText } from '../src/model/times.ts';
import { show } from './page.tsx';
import { aRecent, aRun, aTrigger, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);
beforeEach(() => localStorage.clear());

const HELLO = '/api/projects/hello';
const NOW = new Date(2026, 10, 23, 9, 0).getTime();
const at = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString();

test('a missed run shows when it was due, and is not late', () => {
  expect(dueText(at(21, 3), NOW)).toBe('Sat 03:00');
  expect(dueText(at(22, 3), NOW)).toBe('yesterday 03:00');
  expect(dueText(at(13, 3), NOW)).toBe('13 Nov, 03:00');
  expect(lateText(aRun({ outcome: 'missed', lateMs: 60_000 }))).toBeNull();
  expect(lateText(aRun({ lateMs: 60_000 }))).toBe('1 min late');
});

const SATURDAY = '2026-02-28T12:00:00.000Z';
const SUNDAY = '2026-03-01T12:00:00.000Z';

test('a missed slot is sorted among the runs by its scheduled time', async () => {
  const missed = { outcome: 'missed' as const, startedAt: null, lateMs: 60_000 };
  serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/runs`]: {
      // Recorded last, and due first.
      runs: [
        aRun({ id: 'c', scheduledFor: SATURDAY, claimedAt: '2026-03-02T12:30:00.000Z', ...missed }),
        aRun({
          id: 'b',
          scheduledFor: null,
          claimedAt: '2026-03-02T12:00:00.000Z',
          cause: 'manual',
        }),
        aRun({ id: 'a', scheduledFor: SUNDAY }),
      ],
      next: null,
    },
  });
  show('/projects/hello/runs');
  const list = within(await screen.findByRole('list', { name: 'Runs' }));
  const names = list.getAllByRole('link').map((link) => link.getAttribute('aria-label'));
  expect(names.map((name) => /(Missed, due|Succeeded,) \w+/.exec(String(name))?.[0])).toEqual([
    'Succeeded, Mon',
    'Succeeded, Sun',
    'Missed, due Sat',
  ]);
  expect(list.getByText(/^due /).textContent).not.toMatch(/late/);
});

test('a trigger shows when its missed slot was due; a later run takes precedence', async () => {
  const missed = aRecent({ id: 'm', outcome: 'missed', at: SATURDAY });
  serve({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: {
      triggers: [
        aTrigger('nightly', { recentRuns: [missed] }),
        aTrigger('weekly', { recentRuns: [missed, aRecent({ id: 's', at: SUNDAY })] }),
      ],
      ...{ invalid: [], legacySchedules: [] },
    },
  });
  show('/projects/hello');
  const list = within(await screen.findByRole('list', { name: 'Triggers' }));
  const card = (name: string) => list.getByText(name).closest('li') as HTMLElement;
  expect(card('nightly').textContent).toMatch(/Missed, due /);
  within(card('nightly')).getByRole('link', { name: /^Missed, due Sat/ });
  expect(card('weekly').textContent).toMatch(/Succeeded \d+ \w+ ago/);
});

test('numbers of settings have digit grouping, except for ports', () => {
  expect(valueText('limits.chats', 10_000)).toBe('10,000');
  expect(valueText('server.port', 17_420)).toBe('17420');
});
