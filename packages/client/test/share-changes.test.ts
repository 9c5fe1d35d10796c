import { afterEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { type Change, shareChanges, type TabChannel } from '../src/index.ts';

const RUN = { kind: 'run', project: 'hello', id: 'r1' } as const;
const frame = (id: string, change: Change = RUN): string =>
  `id: ${id}\nevent: ${change.kind}\ndata: ${JSON.stringify(change)}\n\n`;

interface Connection {
  readonly lastId: string | null;
  send(text: string): void;
  end(): void;
}

/** A service, and the channels of a browser by name, each message delivered in its own turn. */
function createBrowser() {
  const clock = createFakeClock();
  const open = new Set<Connection>();
  const made: Connection[] = [];
  const channels = new Map<string, Set<TabChannel>>();
  let answer: (() => Response) | null = null;
  let tabs = 0;
  let last = '0';

  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    if (answer !== null) return answer();
    let stream: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (each) => {
        stream = each;
      },
    });
    const connection: Connection = {
      lastId: new Headers(init.headers).get('Last-Event-ID'),
      send: (text) => {
        last = /.*id: (\d+)/s.exec(text)?.[1] ?? last;
        stream.enqueue(new TextEncoder().encode(text));
      },
      end: () => {
        open.delete(connection);
        stream.close();
      },
    };
    init.signal?.addEventListener('abort', () => {
      if (open.delete(connection)) stream.error(init.signal?.reason);
    });
    open.add(connection);
    made.push(connection);
    connection.send(`: changes follow\n\nid: ${last}\n\n`);
    return new Response(body);
  };

  function openChannel(name: string): TabChannel {
    const all = channels.get(name) ?? new Set();
    channels.set(name, all);
    const channel: TabChannel = {
      onmessage: null,
      postMessage(message) {
        const data = structuredClone(message);
        for (const other of all) {
          if (other === channel) continue;
          queueMicrotask(() => other.onmessage?.({ data } as MessageEvent));
        }
      },
      close: () => void all.delete(channel),
    };
    all.add(channel);
    return channel;
  }

  function tab(share: string | null = 'anna') {
    const seen: unknown[] = [];
    tabs += 1;
    const random = tabs / 32;
    // A tab that hangs receives nothing, and its timers do not run.
    let isHung = false;
    const timers = {
      setTimeout: (callback: () => void, ms: number) =>
        clock.setTimeout(() => (isHung ? undefined : callback()), ms),
      clearTimeout: (timer: never) => clock.clearTimeout(timer),
    };
    const following = shareChanges(
      {
        baseUrl: 'http://svc.test',
        onChange: ({ id }) => seen.push(id),
        onReset: () => seen.push('reset'),
        onState: (state, cause) =>
          seen.push(cause instanceof Error ? `${state}: ${cause.message}` : state),
      },
      {
        fetch,
        timers,
        openChannel: (name) => {
          const channel = openChannel(name);
          const { postMessage } = channel;
          channel.postMessage = (message) => (isHung ? undefined : postMessage(message));
          return new Proxy(channel, {
            set: (on, key, value) =>
              Reflect.set(
                on,
                key,
                value === null ? null : (event: MessageEvent) => isHung || value(event),
              ),
          });
        },
        // The first one has the shortest delay.
        random: () => random,
      },
    );
    if (share !== null) following.shareAs(share);
    return {
      seen,
      following,
      hang: () => {
        isHung = true;
      },
      wake: () => {
        isHung = false;
      },
      /** What it has reported since the last call. */
      news: () => seen.splice(0),
    };
  }
  return {
    clock,
    open,
    made,
    tab,
    refuse: (status: number, error: string) => {
      answer = () => Response.json({ error, code: 'unauthenticated' }, { status });
    },
    accept: () => {
      answer = null;
    },
  };
}

type Browser = ReturnType<typeof createBrowser>;
let running: { clock: FakeClock; tabs: ReturnType<Browser['tab']>[] } | null = null;

/** Several tabs that share a connection. */
async function tabsOf(browser: Browser, count: number) {
  const tabs = Array.from({ length: count }, () => browser.tab());
  running = { clock: browser.clock, tabs };
  await browser.clock.advance(1_000);
  return tabs;
}

const only = ({ open }: Browser): Connection => {
  expect(open.size).toBe(1);
  return [...open][0] as Connection;
};

afterEach(async () => {
  for (const { following } of running?.tabs ?? []) following.stop();
  await running?.clock.settle();
  expect(running?.clock.pending ?? 0).toBe(0);
  running = null;
});

describe('tabs that share a stream of changes', () => {
  // proves: page.tabs
  it('have one connection, and each of eight gets every change once', async () => {
    const browser = createBrowser();
    const tabs = await tabsOf(browser, 8);
    // Each begins with its own connection, and joins the others without a second reset.
    expect(tabs.map(({ news }) => news())).toEqual(tabs.map(() => ['connecting', 'live', 'reset']));
    expect(browser.made).toHaveLength(8);
    only(browser).send(frame('1') + frame('2', { ...RUN, id: 'r2' }));
    await browser.clock.advance(10);
    expect(tabs.map(({ news }) => news())).toEqual(tabs.map(() => ['r1', 'r2']));
    await browser.clock.advance(30_000);
    expect(browser.made).toHaveLength(8);
  });

  it('reconnect from the same event when the leading tab is closed, without a reset', async () => {
    const browser = createBrowser();
    const tabs = await tabsOf(browser, 3);
    only(browser).send(frame('7'));
    await browser.clock.advance(10);
    for (const { news } of tabs) news();
    const [leader, ...others] = tabs;
    leader?.following.stop();
    await browser.clock.advance(200);
    expect(only(browser).lastId).toBe('7');
    only(browser).send(frame('8', { ...RUN, id: 'r2' }));
    await browser.clock.advance(10);
    expect(others.map(({ news }) => news())).toEqual(
      others.map(() => ['connecting', 'live', 'r2']),
    );
    expect(leader?.news()).toEqual([]);
  });

  it('take over from a tab that hangs, and are one group again when it wakes', async () => {
    const browser = createBrowser();
    const tabs = await tabsOf(browser, 3);
    const [leader, ...others] = tabs;
    only(browser).send(frame('7'));
    await browser.clock.advance(10);
    for (const { news } of tabs) news();
    leader?.hang();
    await browser.clock.advance(6_500);
    const fresh = browser.made.at(-1);
    expect(fresh?.lastId).toBe('7');
    fresh?.send(frame('8', { ...RUN, id: 'r2' }));
    await browser.clock.advance(10);
    expect(others.every(({ news }) => news().includes('r2'))).toBe(true);
    leader?.wake();
    await browser.clock.advance(10_000);
    only(browser).send(frame('9', { ...RUN, id: 'r3' }));
    await browser.clock.advance(10);
    for (const { news } of tabs) expect(news().filter((each) => each === 'r3')).toHaveLength(1);
  });

  it('send a reset to a tab that joins later, or returns, if it may have missed something', async () => {
    const browser = createBrowser();
    const [first, second] = await tabsOf(browser, 2);
    only(browser).send(frame('1'));
    await browser.clock.advance(10);
    second?.following.stop();
    second?.news();
    second?.following.resume();
    await browser.clock.advance(500);
    expect(second?.news()).toEqual(['connecting', 'live']);
    second?.following.stop();
    only(browser).send(frame('2'));
    await browser.clock.advance(10);
    second?.following.resume();
    await browser.clock.advance(500);
    expect(second?.news()).toEqual(['connecting', 'reset', 'live']);
    expect(browser.made).toHaveLength(2);
    const third = browser.tab();
    running?.tabs.push(third);
    await browser.clock.advance(500);
    expect(third.news()).toEqual(['connecting', 'live', 'reset']);
    expect(first?.news().filter((each) => each === 'reset')).toHaveLength(1);
    only(browser);
  });

  it('are all informed of a loss and of a refusal, and each can check the connection', async () => {
    const browser = createBrowser();
    const tabs = await tabsOf(browser, 2);
    for (const { news } of tabs) news();
    browser.refuse(401, 'Sign in first.');
    tabs[1]?.following.check();
    await browser.clock.advance(100);
    for (const { news } of tabs) expect(news()).toEqual(['lost: Sign in first.']);
    browser.accept();
    tabs[0]?.following.check();
    await browser.clock.advance(100);
    for (const { news } of tabs) expect(news()).toContain('live');
  });

  it('follow from the start, and share the existing connection once the user is known', async () => {
    const browser = createBrowser();
    const tabs = [browser.tab(null), browser.tab(null)];
    running = { clock: browser.clock, tabs };
    await browser.clock.advance(1_000);
    expect(browser.open.size).toBe(2);
    for (const { following, news } of tabs) {
      expect(news()).toEqual(['connecting', 'live', 'reset']);
      following.shareAs('anna');
    }
    await browser.clock.advance(1_000);
    only(browser).send(frame('1'));
    await browser.clock.advance(10);
    for (const { news } of tabs) expect(news()).toEqual(['r1']);
    expect(browser.made).toHaveLength(2);
  });

  it('start again with a reset if the user has changed, and share nothing with tabs of the earlier user', async () => {
    const browser = createBrowser();
    const [first, second] = await tabsOf(browser, 2);
    for (const each of [first, second]) each?.news();
    second?.following.shareAs('bob');
    await browser.clock.advance(1_000);
    expect(second?.news()).toEqual(['connecting', 'live', 'reset']);
    expect(browser.open.size).toBe(2);
    browser.made[0]?.send(frame('1'));
    await browser.clock.advance(10);
    expect([first?.news(), second?.news()]).toEqual([['r1'], []]);
  });

  // proves: page.tabs
  it('share nothing with tabs of another user', async () => {
    const browser = createBrowser();
    const anna = browser.tab('anna');
    const bob = browser.tab('bob');
    running = { clock: browser.clock, tabs: [anna, bob] };
    await browser.clock.advance(1_000);
    expect(browser.made).toHaveLength(2);
    browser.made[0]?.send(frame('1'));
    await browser.clock.advance(10_000);
    expect(anna.news()).toContain('r1');
    expect(bob.news()).not.toContain('r1');
  });
});
