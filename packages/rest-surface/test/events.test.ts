import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { success } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { authOf, type RunningSurface, startSurface } from './surface.ts';

let rest: RunningSurface;
beforeEach(async () => {
  rest = await startSurface();
});
afterEach(() => rest.close());

interface Stream {
  readonly response: IncomingMessage;
  readonly request: ClientRequest;
  /** Waits until the text contains this, then returns the whole text. */
  until(part: string): Promise<string>;
  readonly ended: Promise<unknown>;
}

async function follow(search = '', headers: Record<string, string> = {}): Promise<Stream> {
  const [request, response] = await new Promise<[ClientRequest, IncomingMessage]>((resolve) => {
    const asked = get(`${rest.url}/api/events${search}`, { headers }, (answer) =>
      resolve([asked, answer]),
    );
    asked.on('error', () => {});
  });
  let text = '';
  const ended = new Promise((resolve) => response.on('close', resolve));
  response.on('error', () => {});
  response.on('data', (chunk) => {
    text += chunk;
    response.emit('more');
  });
  const until = async (part: string): Promise<string> => {
    while (!text.includes(part)) await new Promise((resolve) => response.once('more', resolve));
    return text;
  };
  return { request, response, until, ended };
}

const publish = (id: string, project = 'alpha') =>
  rest.ops.changes.publish({ kind: 'run', project, id });

describe('the stream of changes', () => {
  it('names events by their kind, with id and data', async () => {
    const stream = await follow();
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await stream.until(': changes follow\n\n');
    for (const kind of ['project', 'triggers', 'run', 'chat'] as const) {
      rest.ops.changes.publish({ kind, project: 'alpha', id: kind === 'run' ? 'a\nb' : null });
    }
    const text = await stream.until('feed-4');
    await stream.until('"kind":"chat","project":"alpha","id":null}\n\n');
    expect(text).toContain(
      'id: feed-3\nevent: run\ndata: {"kind":"run","project":"alpha","id":"a\\nb"}\n\n',
    );
  });

  it('sends what came after the last event seen, and nothing before', async () => {
    for (const id of ['a', 'b', 'c']) publish(id);
    const stream = await follow('', { 'Last-Event-ID': 'feed-1' });
    publish('d');
    const text = await stream.until('"id":"d"}\n\n');
    expect(text.match(/"id":"."/g)).toEqual(['"id":"b"', '"id":"c"', '"id":"d"']);
  });

  it.each(['feed-0', 'feed-99', 'earlier-3', 'x'.repeat(5000), 'ü'])(
    'sends one reset for %.9s, which is no longer kept',
    async (seen) => {
      for (const id of ['a', 'b', 'c', 'd']) publish(id);
      const stream = await follow('', { 'Last-Event-ID': seen });
      publish('e');
      const text = await stream.until('"id":"e"}\n\n');
      expect(text).toMatch(/follow\n\nid: feed-4\nevent: reset\ndata: {}\n\nid: feed-5\n/);
    },
  );

  it('begins with the next change for readers without a last event', async () => {
    publish('a');
    const stream = await follow('', { 'Last-Event-ID': '' });
    publish('b');
    expect(await stream.until('"id":"b"')).not.toContain('"id":"a"');
  });

  it('sends its position as soon as it opens, also past events that the reader may not see', async () => {
    publish('theirs', 'beta');
    const fresh = await follow('?project=alpha');
    expect(await fresh.until('id: feed-1\n\n')).toBe(': changes follow\n\nid: feed-1\n\n');
    publish('theirs', 'beta');
    const again = await follow('?project=alpha', { 'Last-Event-ID': 'feed-1' });
    expect(await again.until('id: feed-2\n\n')).toBe(': changes follow\n\nid: feed-2\n\n');
  });

  it('is limited to one project on request, and skips the events of others', async () => {
    const stream = await follow('?project=alpha');
    publish('theirs', 'beta');
    publish('ours');
    publish('theirs', 'beta');
    expect(await stream.until('"id":"ours"}\n\n')).not.toContain('theirs');
    await rest.clock.advance(15_000);
    expect(await stream.until('id: feed-3\n\n')).not.toContain('theirs');
  });

  it.each(['?project=beta', '?project=%2e%2e'])('is 404 for %s', async (search) => {
    const { status, body } = await rest.ask('GET', `/api/events${search}`);
    expect([status, body['code']]).toEqual([404, 'not_found']);
  });

  it('sends a comment every 15 seconds', async () => {
    const stream = await follow();
    await stream.until('follow');
    await rest.clock.advance(14_999);
    publish('a');
    expect(await stream.until('"id":"a"')).not.toContain('still here');
    await rest.clock.advance(1);
    await stream.until(': still here\n\n');
    await rest.clock.advance(30_000);
    await stream.until(': still here\n\n: still here\n\n: still here\n\n');
  });

  it('forgets a reader that has disconnected', async () => {
    const stream = await follow();
    await stream.until('follow');
    expect(rest.clock.pending).toBe(1);
    stream.request.destroy();
    await stream.ended;
    while (rest.clock.pending > 0) await new Promise((resolve) => setImmediate(resolve));
    publish('a');
    expect(rest.logger.lines).toEqual([]);
  });

  it('ends the stream of a reader that does not read', async () => {
    const socket = connect(rest.port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (rest.clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    const id = 'x'.repeat(100_000);
    let published = 0;
    for (; rest.clock.pending > 0 && published < 2000; published += 1) {
      publish(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(rest.clock.pending).toBe(0);
    expect(published).toBeLessThan(2000);
    socket.destroy();
  });

  it('answers HEAD without opening a stream', async () => {
    const { status, headers } = await rest.ask('HEAD', '/api/events');
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(rest.clock.pending).toBe(0);
  });

  it('ends with the surface, which then opens no other', async () => {
    const streams = [await follow(), await follow()];
    rest.surface.close();
    await Promise.all(streams.map((stream) => stream.ended));
    expect(streams.every((stream) => stream.response.complete)).toBe(true);
    expect(rest.clock.pending).toBe(0);
    const { status, body } = await rest.ask('GET', '/api/events');
    expect([status, body['code']]).toEqual([503, 'unavailable']);
  });
});

describe('a stream requires a valid sign-in', () => {
  it('ends when the credential of the user expires, and sends nothing later', async () => {
    const clock = createFakeClock();
    const person = { name: 'ada', role: 'write', expiresAt: clock.now() + 20_000 } as const;
    const auth = { ...authOf(clock), admit: async () => success(person) };
    const own = await startSurface({}, clock, auth);
    const asked = await fetch(`${own.url}/api/events`);
    await own.clock.advance(15_000);
    await own.clock.advance(5_000);
    own.ops.changes.publish({ kind: 'run', project: 'alpha', id: 'later' });
    expect(await asked.text()).toBe(': changes follow\n\nid: feed-0\n\n: still here\n\n');
    await own.close();
  });

  it('and ends as soon as the user has signed out', async () => {
    const token = 'the-access-token-of-this-instance';
    const own = await startSurface({ auth: { mode: 'token', token } });
    const signed = await own.ask('POST', '/api/session', { json: { token } });
    const [cookie = ''] = (signed.headers['set-cookie']?.[0] ?? '').split(';');
    const headers = { cookie };
    const [asked, other] = await Promise.all(
      [headers, { authorization: `Bearer ${token}` }].map((sent) =>
        fetch(`${own.url}/api/events`, { headers: sent }),
      ),
    );
    await own.clock.advance(15_000);
    await own.ask('DELETE', '/api/session', { headers });
    expect(await asked?.text()).toBe(': changes follow\n\nid: feed-0\n\n: still here\n\n');
    const reading = other?.body?.getReader();
    expect((await reading?.read())?.done).toBe(false);
    await reading?.cancel();
    await own.close();
  });
});
