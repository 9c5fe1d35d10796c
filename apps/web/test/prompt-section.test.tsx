import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { localizeTimes } from '../src/model/times.ts';
import { show } from './page.tsx';
import { aTrigger, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const HELLO = '/api/projects/hello';
const EDITOR = '/projects/hello/triggers/nightly';
const FILES = {
  [`GET ${HELLO}/prompt-files`]: {
    promptFiles: [
      { source: 'trigger', name: 'report.md', size: 12, usedBy: ['weekly'] },
      { source: 'trigger', name: 'sub/tidy.md', size: 12, usedBy: [] },
      { source: 'schedule', name: 'old.md', size: 12, usedBy: ['old'] },
    ],
  },
  [`GET ${HELLO}/prompt-files/report.md`]: {
    ...{ source: 'trigger', name: 'report.md' },
    text: '# Report <b>all</b>\u202e\n',
  },
};
const trigger = (facts: object) => ({
  [`GET ${HELLO}/triggers/nightly`]: () =>
    Response.json(aTrigger('nightly', facts), { headers: { ETag: '"v1"' } }),
});
const field = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Prompt file' });

test('a prompt file is selected among those of the project, and its content is shown', async () => {
  serve({ ...HELLO_SERVICE, ...FILES });
  show(EDITOR);
  await userEvent.click(await screen.findByRole('radio', { name: 'File' }));
  const options = within(await field());
  await options.findByRole('option', { name: 'report.md (used by weekly)' });
  expect(options.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    ...['Select a file', 'report.md (used by weekly)', 'sub/tidy.md'],
  ]);
  await userEvent.selectOptions(await field(), 'report.md');
  const shown = await screen.findByRole('region', { name: 'Contents of report.md' });
  expect(shown.textContent).toBe('# Report <b>all</b>[U+202E]\n');
  expect(shown.querySelector('b')).toBeNull();
});

test('a missing prompt file stays selected, and is reported once, at its field', async () => {
  const message = 'names .svc/triggers/gone.md, which does not exist.';
  serve({
    ...HELLO_SERVICE,
    ...FILES,
    ...trigger({ run: { promptFile: 'gone.md', session: 'new', tools: ['Read'], maxTurns: 30 } }),
    [`POST ${HELLO}/validate-trigger`]: {
      ...{ valid: true, issues: [], warnings: [{ path: 'run.promptFile', message }] },
    },
  });
  show(EDITOR);
  await screen.findByText(`run.promptFile ${message}`);
  expect((await field()).value).toBe('gone.md');
  expect(screen.getAllByText(/gone\.md,? which|gone\.md does not/)).toHaveLength(1);
  expect(screen.queryByRole('region', { name: /^Contents of / })).toBeNull();
});

test('a project without prompt files says where to put them', async () => {
  serve(HELLO_SERVICE);
  show(EDITOR);
  await userEvent.click(await screen.findByRole('radio', { name: 'File' }));
  await screen.findByText(/^No prompt files yet\. Add a \.md file to \.svc\/triggers\./);
});

test('a prompt is rendered as Markdown on request, and its content runs nothing', async () => {
  const prompt = '## Steps\n\n- look <img src=x onerror=alert(1)>\n';
  serve({
    ...HELLO_SERVICE,
    ...trigger({ run: { prompt, session: 'new', tools: ['Read'], maxTurns: 30 } }),
  });
  show(EDITOR);
  await userEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  const shown = await screen.findByRole('region', { name: 'Prompt preview' });
  await waitFor(() =>
    expect(within(shown).getByRole('listitem').textContent).toMatch(/^look <img/),
  );
  expect(shown.querySelector('img')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Hide preview' }));
  expect(screen.queryByRole('region', { name: 'Prompt preview' })).toBeNull();
});

const INTERVAL = { type: 'schedule' as const, interval: '2h' };
const NEXT = '2026-03-03T03:17:00.000Z';
const COUNTED = {
  upcoming: ['2026-03-03T05:00:00.000Z'],
  description: 'Every 2 hours, counted from 2026-03-03T03:00:00Z',
  ...{ firesPerDay: 12, timezone: null },
};

test('an unchanged interval keeps its phase; a changed one starts again', async () => {
  const armed = {
    trigger: INTERVAL,
    upcoming: [NEXT],
    schedule: { description: 'Every 2 hours', timezone: null, firesPerDay: 12 },
  };
  const list = HELLO_SERVICE[`GET ${HELLO}/triggers`] as object;
  const seen = serve({
    ...HELLO_SERVICE,
    ...trigger(armed),
    [`GET ${HELLO}/triggers`]: { ...list, triggers: [aTrigger('nightly', armed)] },
    'GET /api/preview': COUNTED,
  });
  show(EDITOR);
  const fires = await screen.findByRole('list', { name: 'Next five runs' });
  expect(fires.querySelector('time')?.dateTime).toBe(NEXT);
  screen.getByText(/^Every 2 hours\./);
  expect(seen.some(({ url }) => url.includes('/api/preview'))).toBe(false);
  await userEvent.type(screen.getByLabelText('Every'), '4');
  await waitFor(() =>
    expect(
      screen.getByRole('list', { name: 'Next five runs' }).querySelector('time')?.dateTime,
    ).toBe(COUNTED.upcoming[0]),
  );
  expect(screen.getByText(/^Every 2 hours, counted from /).textContent).not.toMatch(/\dT\d/);
});

test('times in a sentence have the format of all others', () => {
  const now = new Date(2026, 10, 22, 12).getTime();
  const at = new Date(2026, 10, 22, 3).toISOString();
  expect(localizeTimes(`Every 2 hours, counted from ${at}`, now)).toBe(
    'Every 2 hours, counted from 03:00',
  );
  expect(localizeTimes('At 03:00 every day (UTC)', now)).toBe('At 03:00 every day (UTC)');
});
