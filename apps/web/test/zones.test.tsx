import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { zonedText } from '../src/model/describe.ts';
import { whenText } from '../src/model/times.ts';
import { show } from './page.tsx';
import { aRuntime, aTrigger, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

test.each([
  ['At 09:00 every day (host-local time)', 'Europe/Berlin', '(host-local time, Europe/Berlin)'],
  ['At 09:00 every day (host-local time)', null, '(host-local time)'],
  ['At 09:00 every day (Asia/Kathmandu)', 'Asia/Kathmandu', '(Asia/Kathmandu)'],
])('"%s" in the zone %s ends with %s', (description, timezone, end) => {
  expect(zonedText({ description, timezone, firesPerDay: 1 })).toBe(`At 09:00 every day ${end}`);
});

// proves: page.unknown-zone
test('a zone that this browser does not know affects its own row alone', async () => {
  const at = (timezone: string) => ({ description: 'At 09:00', firesPerDay: 1, timezone });
  serve({
    ...HELLO_SERVICE,
    'GET /api/projects/hello/triggers': {
      triggers: [
        aTrigger('near', { schedule: at('UTC') }),
        aTrigger('new', { schedule: at('Mars/Olympus') }),
      ],
      ...{ invalid: [], legacySchedules: [] },
    },
    'GET /api/projects/hello/triggers/runtime': { runtime: [aRuntime('near'), aRuntime('new')] },
  });
  show('/projects/hello');
  const list = await screen.findByRole('list', { name: 'Triggers' });
  expect(within(list).getAllByRole('listitem').length).toBeGreaterThanOrEqual(2);
  const row = within(list).getByText('new').closest('li');
  expect(row?.querySelector('time')?.textContent).toMatch(/ your time$/);
  expect(
    whenText('2026-03-02T03:00:00.000Z', Date.parse('2026-03-01T22:00:00Z'), 'Mars/Olympus'),
  ).toBe('tomorrow 03:00 UTC');
});

test('a next fire names the clock of the viewer when the zone of the schedule differs', async () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const far = own === 'Asia/Kathmandu' ? 'UTC' : 'Asia/Kathmandu';
  const at = (timezone: string) => ({ description: 'At 09:00', firesPerDay: 1, timezone });
  serve({
    ...HELLO_SERVICE,
    'GET /api/projects/hello/triggers': {
      triggers: [aTrigger('near', { schedule: at(own) }), aTrigger('far', { schedule: at(far) })],
      ...{ invalid: [], legacySchedules: [] },
    },
    'GET /api/projects/hello/triggers/runtime': { runtime: [aRuntime('near'), aRuntime('far')] },
  });
  show('/projects/hello');
  const list = await screen.findByRole('list', { name: 'Triggers' });
  const timeOf = (name: string) =>
    within(list).getByText(name).closest('li')?.querySelector('time')?.textContent;
  expect(timeOf('far')).toBe(`${timeOf('near')} your time`);
});
