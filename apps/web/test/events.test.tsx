import { afterEach, describe, expect, test } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';
import { shortName } from '../src/model/event-text.ts';
import { anEvent, aProject, aRun, aRuntime, aTrigger, HELLO_SERVICE, serve } from './service.ts';

afterEach(cleanup);

const HELLO = '/api/projects/hello';
const ENDED = anEvent({ id: 'e2', event: 'afterTurn', by: null, turnId: 't1', chat: 'A question' });
const run = { id: 'r1', trigger: 'on-archive', state: 'ended', outcome: 'failed' } as const;

function show(path: string) {
  const router = createPageRouter(createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} queries={createQueries()} />);
  return router;
}

const listing = (...events: readonly object[]) => ({
  ...HELLO_SERVICE,
  [`GET ${HELLO}/events`]: { events, next: null },
});

async function rows(): Promise<HTMLElement[]> {
  const list = await screen.findByRole('list', { name: 'Events' });
  return [...list.children] as HTMLElement[];
}

describe('the events of a project', () => {
  // proves: events.page
  test('show what happened, in which chat, and which runs it started', async () => {
    serve(listing(anEvent({ runs: [run] }), ENDED));
    show('/projects/hello/events');
    const [archived, ended] = (await rows()) as [HTMLElement, HTMLElement];
    expect(archived.textContent).toContain('Chat “The door” was archived by a user.');
    const chat = within(archived).getByRole('link', { name: '“The door”' });
    expect(chat.getAttribute('href')).toBe('/projects/hello/chats/s1');
    within(archived).getByText('Failed');
    const started = within(archived).getByRole('link', { name: 'on-archive' });
    expect(started.getAttribute('href')).toBe('/projects/hello/runs/r1');
    expect(ended.textContent).toContain('Turn in chat “A question” ended.');
    within(ended).getByText('No runs.');
  });

  test('show what the triggers that have not started yet wait for', async () => {
    serve(listing(anEvent({ dispatchedAt: null }), { ...ENDED, dispatchedAt: null }));
    show('/projects/hello/events');
    await screen.findByText('Waiting: the curator runs when the chats are idle.');
    await screen.findByText('Queued.');
  });

  test('wait while the file cannot be read, and say so', async () => {
    const faults = [{ path: '', message: 'is not valid YAML.' }];
    const projects = [aProject('hello', { faults })];
    serve({ ...listing(anEvent({ dispatchedAt: null })), 'GET /api/projects': { projects } });
    show('/projects/hello/events');
    await screen.findByText('Waiting: project.yaml cannot be read.');
  });

  test('are empty at first, and the filter says whether it is the cause', async () => {
    const seen = serve(HELLO_SERVICE);
    show('/projects/hello/events');
    await screen.findByText(/^No events yet\./);
    await userEvent.selectOptions(screen.getByLabelText('Event'), 'Turns ended');
    await screen.findByText('No events match.');
    const asked = seen.filter(({ url }) => url.includes('/hello/events'));
    expect(asked.map(({ url }) => new URL(url).searchParams.get('event'))).toEqual([
      null,
      'afterTurn',
    ]);
    await userEvent.click(screen.getByRole('link', { name: 'Clear filters' }));
    await screen.findByText(/^No events yet\./);
  });

  test('are loaded page by page', async () => {
    const answers = [
      { events: [anEvent()], next: 'e1' },
      { events: [{ ...ENDED, chat: 'An older one' }], next: null },
    ];
    const seen = serve({
      ...HELLO_SERVICE,
      [`GET ${HELLO}/events`]: () => Response.json(answers.shift()),
    });
    show('/projects/hello/events');
    await userEvent.click(await screen.findByRole('button', { name: 'Load older events' }));
    await screen.findByRole('link', { name: '“An older one”' });
    expect(await rows()).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Load older events' })).toBeNull();
    expect(seen.some(({ url }) => new URL(url).searchParams.get('cursor') === 'e1')).toBe(true);
  });

  test('show the reason when they cannot be loaded', async () => {
    const refusal = { error: 'The disk is full.', code: 'unavailable' };
    serve({
      ...HELLO_SERVICE,
      [`GET ${HELLO}/events`]: () => Response.json(refusal, { status: 503 }),
    });
    show('/projects/hello/events');
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  });

  test('escape direction marks in chat names', async () => {
    serve(listing(anEvent({ chat: 'Door\u202egpj' })));
    show('/projects/hello/events');
    await screen.findByRole('link', { name: '“Door[U+202E]gpj”' });
    expect(document.body.textContent).not.toContain('\u202e');
  });
});

const FIRED = aRun({ id: 'r1', cause: 'event', eventId: ENDED.id, scheduledFor: null });

describe('a run that an event started', () => {
  // proves: events.page
  test('names the event in the list, links to the chat, and fetches that event alone', async () => {
    const seen = serve({
      ...listing({ ...ENDED, chat: 'A'.repeat(60) }),
      [`GET ${HELLO}/runs`]: { runs: [FIRED, aRun({ id: 'r2' })], next: null },
    });
    show('/projects/hello/runs');
    const chat = await screen.findByRole('link', { name: `“${'A'.repeat(32)}…”` });
    expect(chat.getAttribute('href')).toBe('/projects/hello/chats/s1');
    expect(chat.closest('li')?.textContent).toContain('after a turn in “A');
    const asked = seen.find(({ url }) => url.includes('/hello/events'));
    expect(new URL(asked?.url ?? '').searchParams.get('id')).toBe(ENDED.id);
  });

  test.each([
    [anEvent(), 'Started when chat “The door” was archived by a user.'],
    [ENDED, 'Covers all turns of people since the one in chat “A question”.'],
  ])('names the event in its own view (%#)', async (event, words) => {
    serve({ ...listing(event), [`GET ${HELLO}/runs/r1`]: { ...FIRED, eventId: event.id } });
    show('/projects/hello/runs/r1');
    const chat = await screen.findByRole('link', { name: `“${event.chat}”` });
    expect(chat.closest('p')?.textContent).toBe(words);
  });

  test('still says that an event started it after the event is removed', async () => {
    serve({ ...listing(), [`GET ${HELLO}/runs`]: { runs: [FIRED], next: null } });
    show('/projects/hello/runs');
    expect((await screen.findByText(/by an event/)).textContent).toContain('by an event');
  });
});

test('chat names are shortened only when they are long', () => {
  expect(shortName('x'.repeat(32))).toBe('x'.repeat(32));
  expect(shortName('x'.repeat(33))).toBe(`${'x'.repeat(32)}…`);
});

describe('an event trigger', () => {
  const trigger = { type: 'event', on: 'afterTurn' } as const;
  const answers = (facts: object, runtime: object = {}) => ({
    ...HELLO_SERVICE,
    [`GET ${HELLO}/triggers`]: {
      ...(HELLO_SERVICE[`GET ${HELLO}/triggers`] as object),
      triggers: [aTrigger('keeps', { trigger, schedule: null, ...facts })],
    },
    [`GET ${HELLO}/triggers/runtime`]: {
      runtime: [aRuntime('keeps', { type: 'event', nextFire: null, ...runtime })],
    },
    [`GET ${HELLO}/triggers/keeps`]: () =>
      Response.json({ ...aTrigger('keeps', { trigger }) }, { headers: { ETag: '"v1"' } }),
  });

  test('shows that it is armed and when it last fired', async () => {
    serve(answers({ lastRun: aRun({ id: 'r9' }) }));
    show('/projects/hello/triggers/keeps');
    const words = await screen.findByText(/Armed: fires after a turn started by a user\./);
    expect(words.textContent).toMatch(/It last fired \d+ \w+ ago\./);
    const link = within(words).getByRole('link', { name: 'last fired: run of keeps' });
    expect(link.getAttribute('href')).toBe('/projects/hello/runs/r9');
  });

  test.each(['/projects/hello', '/projects/hello/triggers/keeps'])(
    'that another one overrides says that it does not run (%s)',
    async (path) => {
      serve(answers({}, { reason: 'It does not run automatically: the curator is notes.' }));
      show(path);
      await waitFor(() =>
        expect(document.body.textContent).toContain('It does not run automatically'),
      );
    },
  );
});
