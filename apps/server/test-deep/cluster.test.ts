import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Chat } from '@svc/records';
import { until } from '../test/harness.ts';
import {
  callAsClient,
  does,
  everySecond,
  type Pair,
  type Peer,
  reaches,
  runNow,
  runOf,
  runsOf,
  runtimeOf,
  startPair,
} from './cluster.ts';
import { killOne } from './cluster-kill.ts';
import { type Postgres, startPostgres } from './postgres.ts';

jest.setTimeout(60_000);

let postgres: Postgres;
let pair: Pair;
let peers: readonly Peer[];
let killedPair: Pair;
let killed: ReturnType<typeof killOne>;

beforeAll(async () => {
  postgres = await startPostgres();
  [pair, killedPair] = await Promise.all([startPair(postgres), startPair(postgres)]);
  peers = pair.both;
  // It takes long, so it runs beside all other tests.
  killed = killOne(killedPair);
  killed.catch(() => {});
});
afterAll(async () => {
  await pair?.close();
  await killedPair?.close();
  await postgres?.close();
});

const messagesOf = (reply: { body: never }) =>
  (reply.body as { messages: { text: string }[] }).messages.map(({ text }) => text);

describe('Run now', () => {
  // proves: nodes.run-now
  it('on either server runs once, and both report it', () =>
    pair.eachWay({ it: does('echo once >> ran; echo done') }, async (asked, project) => {
      const id = await runNow(asked, project, 'it');
      const run = await reaches(pair.other(asked), project, id, 'ended');
      expect(run.outcome).toBe('succeeded');
      expect(await runOf(asked, project, id)).toEqual(run);
      expect(readFileSync(join(pair.projects, project, 'ran'), 'utf8')).toBe('once\n');
      const chats = await Promise.all(
        peers.map((peer) => peer.at(project, 'GET', `/chats/${run.sessionId}`)),
      );
      expect(chats[0]?.body).toEqual(chats[1]?.body);
      expect(messagesOf(chats[0] as never).join()).toContain('done');
    }));

  // proves: nodes.run-now, nodes.known
  it('can be awaited on either server, by every client with a token', () =>
    pair.eachWay({ it: does('sleep 0.5') }, async (asked, project) => {
      const args = { project, name: 'it', wait_seconds: 20 };
      expect(await callAsClient(asked, 'run_trigger', args)).toMatchObject({
        outcome: 'succeeded',
      });
    }));
});

describe('a turn', () => {
  // proves: nodes.cancelled-anywhere
  it('that runs can be cancelled on either server', () =>
    pair.eachWay({ it: does('sleep 30') }, async (asked, project) => {
      const id = await runNow(asked, project, 'it');
      await reaches(asked, project, id, 'running');
      const since = Date.now();
      const { status } = await pair.other(asked).at(project, 'POST', `/runs/${id}/cancel`);
      expect(status).toBe(202);
      const run = await reaches(asked, project, id, 'ended');
      expect(run).toMatchObject({ outcome: 'cancelled', reason: 'Cancelled by a user.' });
      expect(Date.now() - since).toBeLessThan(10_000);
    }));

  // proves: nodes.cancelled-anywhere
  it('that waits can be cancelled on either server', () =>
    pair.eachWay({ it: does('sleep 2') }, async (asked, project) => {
      await reaches(asked, project, await runNow(asked, project, 'it'), 'running');
      const id = await runNow(asked, project, 'it');
      const { status } = await pair.other(asked).at(project, 'POST', `/runs/${id}/cancel`);
      expect(status).toBe(202);
      expect(await runOf(asked, project, id)).toMatchObject({
        ...{ state: 'ended', outcome: 'cancelled', startedAt: null },
      });
    }));
});

const isPausedFor = async (peer: Peer) =>
  String((await peer.ask('GET', '/metrics')).body).includes('svc_paused 1\n');

describe('a chat', () => {
  // proves: nodes.cancelled-anywhere
  it('can be continued on either server, and its turn can be cancelled on either', () =>
    pair.eachWay({ it: does('true') }, async (asked, project) => {
      const prompt = '```bash\nsleep 30\n```';
      const { body } = await asked.at(project, 'POST', '/chats', { prompt });
      const path = `/chats/${(body as { sessionId: string }).sessionId}`;
      await until(async () => ((await asked.at(project, 'GET', path)).body as Chat).running);
      const said = await pair
        .other(asked)
        .at(project, 'POST', `${path}/messages`, { prompt: 'Go on.' });
      expect(said.status).toBe(202);
      const since = Date.now();
      expect((await pair.other(asked).at(project, 'POST', `${path}/cancel`)).status).toBe(202);
      await until(async () => !((await asked.at(project, 'GET', path)).body as Chat).running);
      expect(Date.now() - since).toBeLessThan(10_000);
      const replies = await Promise.all(peers.map((peer) => peer.at(project, 'GET', path)));
      expect(replies[0]?.body).toEqual(replies[1]?.body);
      expect(messagesOf(replies[0] as never).join()).toContain('Go on.');
    }));
});

describe('pausing all triggers', () => {
  // proves: nodes.paused
  it('takes effect on both servers at once, and so does resuming', async () => {
    const projects = await Promise.all(
      peers.map((peer) => pair.armed(peer, { it: everySecond('date +%s%N >> ran') })),
    );
    const last = (project: string): number => {
      const file = join(pair.projects, project, 'ran');
      if (!existsSync(file)) return 0;
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      return Number(lines.at(-1)) / 1e6;
    };
    for (const asked of peers) {
      for (const project of projects) {
        const before = last(project);
        await until(async () => last(project) > before);
      }
      const { body } = await asked.ask('POST', '/api/pause', { reason: 'Moving.' });
      const since = Date.now();
      for (const peer of peers) {
        const status = (await peer.ask('GET', '/api/status')).body as { paused: object | null };
        expect(status.paused).toMatchObject((body as { paused: object }).paused);
        expect(await isPausedFor(peer)).toBe(true);
      }
      await Promise.all(
        projects.map((project) =>
          until(async () => {
            const runs = await runsOf(asked, project);
            const skipped = runs.filter(
              ({ outcome, endedAt }) =>
                outcome === 'skipped_paused' && Date.parse(endedAt ?? '') > since + 1500,
            );
            return skipped.length > 0;
          }),
        ),
      );
      // A turn whose agent has started continues.
      for (const project of projects) expect(last(project)).toBeLessThan(since + 100);
      await pair.other(asked).ask('POST', '/api/resume');
    }
    for (const peer of peers)
      expect((await peer.ask('GET', '/metrics')).body).toContain('svc_paused 0');
    for (const project of projects) rmSync(join(pair.projects, project), { recursive: true });
  });

  // proves: nodes.paused
  it('cancels running turns on both servers on request', async () => {
    for (const asked of peers) {
      const ran = await Promise.all(
        peers.map(async (peer) => {
          const project = pair.project(peer, { it: does('sleep 30') });
          const id = await runNow(peer, project, 'it');
          await reaches(peer, project, id, 'running');
          return { project, id };
        }),
      );
      const since = Date.now();
      await asked.ask('POST', '/api/pause', { stopRunning: true });
      for (const { project, id } of ran)
        expect(await reaches(asked, project, id, 'ended')).toMatchObject({ outcome: 'cancelled' });
      expect(Date.now() - since).toBeLessThan(10_000);
      await asked.ask('POST', '/api/resume');
    }
  });

  // proves: nodes.paused
  it('of a trigger after failures is shown by both servers, and can be ended on either', () =>
    pair.eachWay(
      { it: does('exit 1', { policy: { pauseAfterFailures: 2 } }) },
      async (asked, project) => {
        for (const peer of [asked, pair.other(asked)])
          await reaches(asked, project, await runNow(peer, project, 'it'), 'ended');
        for (const peer of peers)
          expect(await runtimeOf(peer, project)).toMatchObject([{ paused: true }]);
        const { body } = await asked.at(project, 'POST', '/triggers/it/resume');
        expect(body).toMatchObject({ resumed: true });
        for (const peer of peers)
          expect(await runtimeOf(peer, project)).toMatchObject([{ paused: false }]);
      },
    ));
});

describe('limits', () => {
  // proves: nodes.limits
  it('apply to both servers together: concurrent turns of a project', async () => {
    const [keeper] = peers;
    const command = 'mkdir lock || echo two >> wrong; sleep 0.1; rmdir lock';
    const project = pair.project(keeper as Peer, { it: does(command) });
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, n) => runNow(peers[n % 2] as Peer, project, 'it')),
    );
    for (const id of ids)
      expect((await reaches(pair.a, project, id, 'ended')).outcome).toBe('succeeded');
    expect(existsSync(join(pair.projects, project, 'wrong'))).toBe(false);
  });

  // proves: nodes.limits
  it('apply to both servers together: fires per day', async () => {
    const [keeper] = peers;
    const it = does('true', { policy: { firesPerDay: 5 } });
    const project = pair.project(keeper as Peer, { it });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (peers[n % 2] as Peer).at(project, 'POST', '/triggers/it/run'),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(202),
      ...Array(15).fill(409),
    ]);
  });

  // proves: nodes.limits
  it('apply to both servers together: one turn at a time in the chat of a resuming trigger', () =>
    pair.eachWay(
      { it: does('true', { run: { prompt: 'Hello', session: 'resume' } }) },
      async (asked, project) => {
        const ids = await Promise.all(
          [asked, pair.other(asked)].map((peer) => runNow(peer, project, 'it')),
        );
        const runs = await Promise.all(ids.map((id) => reaches(asked, project, id, 'ended')));
        expect(new Set(runs.map(({ sessionId }) => sessionId)).size).toBe(1);
      },
    ));

  // proves: nodes.limits
  it('skip a slot while a run is in progress on the other server', async () => {
    await Promise.all(
      peers.map(async (keeper) => {
        const project = await pair.armed(keeper, { it: everySecond('sleep 2.5') });
        const runs = await until(async () => {
          const runs = await runsOf(pair.other(keeper), project);
          return runs.some(({ outcome }) => outcome === 'skipped_overlap') && runs;
        });
        expect(runs.filter(({ state }) => state === 'running')).toHaveLength(1);
        await pair.other(keeper).at(project, 'DELETE', '/triggers/it');
      }),
    );
  });
});

describe('a killed server', () => {
  // proves: nodes.killed
  it('leaves no running rows, and its projects continue on the other server', async () => {
    const { interrupted } = await killed;
    expect(interrupted).toMatchObject({
      outcome: 'interrupted',
      reason: expect.stringContaining('server'),
    });
  });
});

describe('a slot queued behind a run', () => {
  // proves: nodes.waiting-slots
  it('waits as long as necessary', async () => {
    expect((await killed).next).toMatchObject({ state: 'running' });
  });
});
