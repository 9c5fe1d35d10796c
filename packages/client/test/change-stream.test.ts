import { describe, expect, it } from '@jest/globals';
import { createFakeClock, type FakeClock } from '@svc/core/testing';
import { type FollowDeps, type FollowOptions, followChanges } from '../src/change-stream.ts';

interface Connection {
  readonly url: string;
  readonly headers: Headers;
  send(text: string): void;
  end(): void;
}

/** A service whose connections are controlled by the test. */
function createService(clock: FakeClock, answers: (() => Response)[]) {
  const connections: Connection[] = [];
  const fetch: FollowDeps['fetch'] = async (url, init) => {
    const answer = answers.shift();
    if (answer !== undefined) return answer();
    let stream: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller;
      },
    });
    init.signal?.addEventListener('abort', () => stream.error(init.signal?.reason));
    connections.push({
      url,
      headers: new Headers(init.headers),
      send: (text) => stream.enqueue(new TextEncoder().encode(text)),
      end: () => stream.close(),
    });
    return new Response(body);
  };
  const deps: FollowDeps = { fetch, timers: clock, random: () => 0.5 };
  return { connections, deps };
}

function follow(options: Partial<FollowOptions> = {}, answers: (() => Response)[] = []) {
  const clock = createFakeClock();
  const service = createService(clock, answers);
  const reported: unknown[] = [];
  const following = followChanges(
    {
      baseUrl: 'http://svc.test',
      onChange: (change) => reported.push(change),
      onReset: () => reported.push('reset'),
      onState: (state, cause) =>
        reported.push(cause === null ? state : `${state}: ${(cause as Error).message}`),
      ...options,
    },
    service.deps,
  );
  return { clock, reported, following, ...service };
}

const RUN = { kind: 'run', project: 'hello', id: 'r1' };
const runEvent = (id: string) => `id: ${id}\nevent: run\ndata: ${JSON.stringify(RUN)}\n\n`;

describe('a stream of changes', () => {
  it('reports a reset, then each change', async () => {
    const { clock, connections, reported, following } = follow({ project: 'hello' });
    await clock.settle();
    connections[0]?.send(`: changes follow\n\n${runEvent('7')}`);
    await clock.settle();
    expect(connections[0]?.url).toBe('http://svc.test/api/events?project=hello');
    expect(reported).toEqual(['connecting', 'live', 'reset', RUN]);
    following.stop();
    await clock.settle();
    expect(clock.pending).toBe(0);
  });

  it('reconnects at once on check, and is lost only if that fails or takes longer than 2 seconds', async () => {
    let isHanging = false;
    const { clock, connections, reported, following } = follow();
    await clock.settle();
    connections[0]?.send('id: 41\n\n');
    await clock.settle();
    reported.length = 0;
    following.check();
    await clock.settle();
    expect(connections[1]?.headers.get('Last-Event-ID')).toBe('41');
    expect(reported).toEqual(['live']);
    const slow = follow({}, [
      () => new Response(new ReadableStream()),
      () => {
        isHanging = true;
        return new Promise<Response>(() => {}) as unknown as Response;
      },
    ]);
    await slow.clock.settle();
    slow.reported.length = 0;
    slow.following.check();
    await slow.clock.advance(1_999);
    expect(isHanging).toBe(true);
    expect(slow.reported).toEqual([]);
    await slow.clock.advance(1);
    expect(slow.reported).toEqual(['lost']);
    slow.following.stop();
    following.stop();
  });

  it('reconnects after a loss from the last event, without a reset', async () => {
    const { clock, connections, reported, following } = follow();
    await clock.settle();
    connections[0]?.send('id: 41\n\n');
    await clock.settle();
    connections[0]?.end();
    await clock.advance(499);
    expect(connections).toHaveLength(1);
    await clock.advance(1);
    expect(connections[1]?.headers.get('Last-Event-ID')).toBe('41');
    expect(reported).toEqual(['connecting', 'live', 'reset', 'lost', 'live']);
    following.stop();
  });

  it('is lost after 40 seconds of silence, which a comment breaks', async () => {
    const { clock, connections, reported, following } = follow();
    await clock.settle();
    await clock.advance(39_999);
    connections[0]?.send(': still here\n\n');
    await clock.advance(39_999);
    expect(reported.at(-1)).toBe('reset');
    await clock.advance(1);
    expect(reported.at(-1)).toBe('lost: The service sent nothing for 40 seconds.');
    following.stop();
  });

  it('reconnects with a growing delay while it is refused, and reports the reason', async () => {
    const refuse = () => Response.json({ error: 'Not now.', code: 'unavailable' }, { status: 503 });
    const answers = Array.from({ length: 7 }, () => refuse);
    const { clock, connections, reported, following } = follow({}, answers);
    await clock.settle();
    const tries: number[] = [];
    let last = clock.now();
    let left = answers.length;
    while (connections.length === 0) {
      await clock.advance(250);
      if (answers.length === left && connections.length === 0) continue;
      tries.push(clock.now() - last);
      last = clock.now();
      left = answers.length;
    }
    expect(tries).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(reported).toContain('lost: Not now.');
    expect(reported.at(-2)).toBe('live');
    following.stop();
  });

  it('varies its delays by a quarter', async () => {
    const clock = createFakeClock();
    const { connections, deps } = createService(clock, [() => new Response('', { status: 502 })]);
    const options = { baseUrl: 'http://svc.test', onChange: () => {}, onReset: () => {} };
    const following = followChanges(options, { ...deps, random: () => 0 });
    await clock.settle();
    await clock.advance(374);
    expect(connections).toHaveLength(0);
    await clock.advance(1);
    expect(connections).toHaveLength(1);
    following.stop();
  });

  it('reports nothing while it is stopped, and continues from the last event when it is resumed', async () => {
    const { clock, connections, reported, following } = follow();
    await clock.settle();
    connections[0]?.send(runEvent('7'));
    await clock.settle();
    following.stop();
    await clock.advance(120_000);
    expect(connections).toHaveLength(1);
    expect(reported.at(-1)).toEqual(RUN);
    following.resume();
    following.resume();
    await clock.settle();
    expect(connections).toHaveLength(2);
    expect(connections[1]?.headers.get('Last-Event-ID')).toBe('7');
    expect(reported.slice(-2)).toEqual(['connecting', 'live']);
    following.stop();
  });

  it('reports a reset if the service no longer has the last event', async () => {
    const { clock, connections, reported, following } = follow();
    await clock.settle();
    connections[0]?.send('id: 90\nevent: reset\ndata: {}\n\n');
    await clock.settle();
    expect(reported).toEqual(['connecting', 'live', 'reset', 'reset']);
    following.stop();
  });
});
