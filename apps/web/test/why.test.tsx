import { afterEach, describe, expect, test } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';
import type { TriggerChange, Why } from '../src/data/api-types.ts';
import { fieldTime, instantOf } from '../src/model/instant-field.ts';
import { HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const NIGHTLY = '/api/projects/hello/triggers/nightly';
const SLOT = '2026-03-01T03:00:00.000Z';
const OFF: TriggerChange = {
  id: 'c1',
  at: '2026-02-28T18:02:00.000Z',
  project: 'hello',
  source: 'trigger',
  trigger: 'nightly',
  kind: 'disabled',
  by: 'client:ci',
  person: null,
  via: 'client',
  sessionId: null,
  writtenAt: null,
  reason: null,
  fields: [{ field: 'enabled', from: 'true', to: 'false' }],
  standing: null,
  anchor: null,
};
const WHY: Why = {
  at: SLOT,
  source: 'trigger',
  trigger: 'nightly',
  decision: 'off',
  by: 'client:ci',
  sentences: [
    'No slot: the trigger was disabled from Saturday 18:02 (disabled by client:ci) to 09:10.',
  ],
  slot: null,
  before: null,
  after: null,
  runId: null,
  changes: [OFF],
};

function show(path: string) {
  const router = createPageRouter(createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} queries={createQueries()} />);
  return router;
}

describe('the why view', () => {
  test('formats the times in the reason of a change as the page does', async () => {
    const reason = 'The clock was set back to 2020-03-01T09:59:22.196Z. Those that ran stay so.';
    serve({
      ...HELLO_SERVICE,
      [`GET ${NIGHTLY}/why`]: WHY,
      [`GET ${NIGHTLY}/changes`]: { changes: [{ ...OFF, reason }], next: null },
    });
    show('/projects/hello/triggers/nightly/why');
    const changes = await screen.findByRole('list', { name: 'Changes' });
    within(changes).getByText(
      /^The clock was set back to \d+ \w+ 2020, \d\d:\d\d\. Those that ran stay so\.$/,
    );
  });

  // proves: why.page
  test('explains an instant in sentences, and lists the changes of the trigger with their authors', async () => {
    const seen = serve({
      ...HELLO_SERVICE,
      [`GET ${NIGHTLY}/why`]: WHY,
      [`GET ${NIGHTLY}/changes`]: { changes: [OFF], next: null },
    });
    const router = show('/projects/hello/triggers/nightly/why');
    await screen.findByText(/^No slot: the trigger was disabled from Saturday 18:02/);
    const changes = await screen.findByRole('list', { name: 'Changes' });
    within(changes).getByText('Disabled');
    expect(changes.textContent).toContain('by client:ci, over /mcp');
    within(changes).getByText('enabled: true → false');
    const field = screen.getByLabelText('Scheduled time');
    expect(instantOf((field as HTMLInputElement).value)).toBe(SLOT);
    fireEvent.change(field, { target: { value: fieldTime('2026-03-02T04:00:00.000Z') } });
    await userEvent.click(screen.getByRole('button', { name: 'Explain' }));
    await screen.findByText(/^No slot/);
    expect(router.state.location.search).toEqual({ at: '2026-03-02T04:00:00.000Z' });
    const asked = seen.filter(({ url }) => url.includes('/why')).map(({ url }) => new URL(url));
    expect(asked.at(-1)?.searchParams.get('at')).toBe('2026-03-02T04:00:00.000Z');
    expect(
      seen.every(
        ({ url, headers }) => url.endsWith('/events') || headers.get('Svc-Via') === 'page',
      ),
    ).toBe(true);
  });

  test('links to the run that an answer refers to', async () => {
    const sentences = ['03:00 on Sunday: fired 2 ms late, failed after 40 s: exit code 3.'];
    serve({
      ...HELLO_SERVICE,
      [`GET ${NIGHTLY}/why`]: { ...WHY, decision: 'fired', sentences, runId: 'r1' },
      [`GET ${NIGHTLY}/changes`]: { changes: [], next: null },
    });
    show(`/projects/hello/triggers/nightly/why?at=${SLOT}`);
    const run = await screen.findByRole('link', { name: 'Open run' });
    expect(run.getAttribute('href')).toBe('/projects/hello/runs/r1');
    await screen.findByText('No changes recorded yet.');
  });
});
