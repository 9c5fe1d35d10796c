import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { stringify } from 'yaml';
import { until } from '../test/harness.ts';
import {
  ACCESS,
  callAsClient,
  does,
  everySecond,
  type Pair,
  type Peer,
  runNow,
  runsOf,
  runtimeOf,
  startPair,
} from './cluster.ts';
import { type Postgres, startPostgres } from './postgres.ts';

jest.setTimeout(60_000);

let postgres: Postgres;
let pair: Pair;
let peers: readonly Peer[];

beforeAll(async () => {
  postgres = await startPostgres();
  pair = await startPair(postgres);
  peers = pair.both;
});
afterAll(async () => {
  await pair?.close();
  await postgres?.close();
});

describe('edits', () => {
  // proves: nodes.edits
  it('show on both servers at once', () =>
    pair.eachWay({ it: does('true') }, async (asked, project) => {
      const alike = async (expected: object[]) => {
        const triggers = await Promise.all(peers.map((peer) => runtimeOf(peer, project)));
        expect(triggers[0]).toMatchObject(expected);
        expect(triggers[1]).toEqual(triggers[0]);
      };
      const path = '/triggers/it';
      for (const interval of ['2h', '3h', '4h']) {
        const record = does('true', { trigger: { type: 'schedule', interval } });
        expect((await asked.at(project, 'PUT', path, record)).status).toBe(200);
        await alike([{ armed: true, nextFire: expect.any(String) }]);
        const [{ nextFire } = { nextFire: null }] = await runtimeOf(asked, project);
        const ahead = Date.parse(nextFire ?? '') - Date.now();
        expect(Math.ceil(ahead / 3_600_000)).toBe(Number.parseInt(interval, 10));
      }
      expect(
        await callAsClient(asked, 'set_trigger', { project, name: 'it', enabled: false }),
      ).toBeDefined();
      await alike([{ armed: false, nextFire: null }]);
      await callAsClient(asked, 'set_trigger', { project, name: 'it', enabled: true });
      await alike([{ armed: true }]);
      expect((await asked.at(project, 'DELETE', path)).status).toBe(200);
      await alike([]);
      expect((await asked.at(project, 'PUT', path, does('true'))).status).toBe(200);
      await alike([{ armed: true }]);
    }));

  // proves: nodes.edits
  it('are refused when the other server changed the trigger meanwhile', () =>
    pair.eachWay({ it: does('true') }, async (asked, project) => {
      const { headers } = await asked.at(project, 'GET', '/triggers/it');
      const condition = { 'If-Match': headers.get('etag') ?? '' };
      const path = `/api/projects/${project}/triggers/it`;
      const put = (peer: Peer, command: string) => peer.ask('PUT', path, does(command), condition);
      expect((await put(pair.other(asked), 'false')).status).toBe(200);
      expect((await put(asked, 'exit 3')).status).toBe(412);
    }));

  // proves: nodes.edits
  it('on both servers at the same time are all applied', async () => {
    const [keeper] = peers;
    const project = pair.project(keeper as Peer, { it: does('true') });
    const names = Array.from({ length: 40 }, (_, n) => `t-${n}`);
    const replies = await Promise.all(
      names.map((name, n) =>
        (peers[n % 2] as Peer).at(project, 'PUT', `/triggers/${name}`, does('true')),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const peer of peers) {
      const triggers = (await runtimeOf(peer, project)).filter(({ armed }) => armed);
      expect(triggers.map(({ name }) => name).sort()).toEqual(['it', ...names].sort());
    }
  });
});

describe('a manually edited project file', () => {
  // proves: nodes.by-hand
  it('is armed and fires on the owner of the project, until it is removed', () =>
    pair.eachWay({ it: does('true') }, async (asked, project) => {
      const since = Date.now();
      pair.write(project, stringify({ triggers: { it: everySecond('echo >> ran') } }));
      const ran = join(pair.projects, project, 'ran');
      await until(async () => existsSync(ran), 10);
      expect(Date.now() - since).toBeLessThan(10_000);
      rmSync(join(pair.projects, project), { recursive: true });
      await until(async () => {
        const rows = await pair.database.query(
          `select 1 from trigger_state where project = '${project}' and schedule_hash is not null`,
        );
        return rows.length === 0;
      }, 10);
      expect((await asked.at(project, 'GET', '/triggers')).status).toBe(404);
    }));
});

describe('a project', () => {
  // proves: nodes.edits
  it('that is created on either server fires on its owner', () =>
    Promise.all(
      peers.flatMap((keeper) =>
        peers.map(async (asked) => {
          const slug = pair.free(keeper);
          const made = await asked.ask('POST', '/api/projects', { slug, name: slug });
          expect(made.status).toBe(201);
          const put = await pair.other(asked).at(slug, 'PUT', '/triggers/it', everySecond());
          expect(put.status).toBe(200);
          const runs = await until(async () => {
            const runs = await runsOf(asked, slug);
            return runs.length > 1 && runs;
          }, 5);
          expect(new Set(runs.map(({ scheduledFor }) => scheduledFor)).size).toBe(runs.length);
          expect((await asked.at(slug, 'DELETE', '/triggers/it')).status).toBe(200);
        }),
      ),
    ).then(() => {}));
});

const CURATOR = {
  trigger: { type: 'event', on: 'afterTurn' },
  run: { prompt: '```bash\ntrue\n```', tools: ['Bash'] },
  enabled: true,
};
const waitingEvents = (project: string) =>
  pair.database.query(
    `select id from event where project = '${project}' and dispatched_at is null`,
  );

describe('one project', () => {
  // proves: nodes.edits
  it('that is created on both servers at the same time is created once', async () => {
    const slug = pair.free(pair.a);
    const made = await Promise.all(
      peers.map((peer) => peer.ask('POST', '/api/projects', { slug, name: slug })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('events', () => {
  // proves: nodes.events
  it('of chat turns on both servers start one run of the curator', () =>
    pair.eachWay({ curator: CURATOR }, async (asked, project) => {
      await Promise.all(
        peers.map((peer) => peer.at(project, 'POST', '/chats', { prompt: 'Hello.' })),
      );
      const runs = await until(async () => {
        const runs = await runsOf(asked, project);
        return runs.length > 0 && runs.every(({ state }) => state === 'ended') && runs;
      }, 10);
      expect(runs).toMatchObject([{ trigger: 'curator', cause: 'event' }]);
      expect(await waitingEvents(project)).toEqual([]);
    }));

  const HOOK = {
    trigger: { type: 'event', on: 'onArchive' },
    run: { prompt: '```bash\ntrue\n```', tools: ['Bash'] },
    enabled: true,
  };

  // proves: nodes.events
  it('of a chat that is archived on either server fire once', () =>
    pair.eachWay({ hook: HOOK }, async (asked, project) => {
      const { body } = await asked.at(project, 'POST', '/chats', { prompt: 'Hello.' });
      const { sessionId } = body as { sessionId: string };
      await until(async () => {
        const { body: chat } = await pair.other(asked).at(project, 'GET', `/chats/${sessionId}`);
        return (chat as { running: boolean }).running === false;
      });
      const archived = await Promise.all(
        peers.map((peer) => peer.at(project, 'POST', `/chats/${sessionId}/archive`)),
      );
      expect(archived.map(({ status }) => status).sort()).toEqual([200, 200]);
      const runs = await until(async () => {
        const runs = await runsOf(asked, project);
        return runs.length > 0 && runs.every(({ state }) => state === 'ended') && runs;
      }, 5);
      expect(runs).toMatchObject([{ trigger: 'hook', outcome: 'succeeded' }]);
    }));

  // proves: nodes.live
  it('arrive within a second on both servers', async () => {
    for (const listener of peers) {
      const project = pair.project(pair.other(listener), { it: does('true') });
      const stop = new AbortController();
      const response = await fetch(`${listener.server.url}/api/events`, {
        headers: { Authorization: `Bearer ${ACCESS}` },
        signal: stop.signal,
      });
      let text = '';
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
      })().catch(() => {});
      const tells = (kind: string) =>
        until(async () => {
          const lines = text.split('\n').filter((line) => line.startsWith('data: '));
          const events = lines.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);
          return events.some((one) => one['kind'] === kind && one['project'] === project);
        }, 1);
      await pair.other(listener).at(project, 'PUT', '/triggers/it', does('false'));
      await tells('triggers');
      await runNow(pair.other(listener), project, 'it');
      await tells('run');
      await tells('chat');
      stop.abort();
      await reading;
    }
  });
});

describe('a signed-in session', () => {
  // proves: nodes.known
  it('of one server is valid on the other, until it signs out', async () => {
    for (const asked of peers) {
      const headers = { 'Content-Type': 'application/json', Origin: asked.server.url };
      const body = JSON.stringify({ token: ACCESS });
      const response = await fetch(`${asked.server.url}/api/session`, {
        method: 'POST',
        headers,
        body,
      });
      expect(response.status).toBe(200);
      const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
      const projects = async () => {
        const { url } = pair.other(asked).server;
        return (await fetch(`${url}/api/projects`, { headers: { Cookie: cookie } })).status;
      };
      expect(await projects()).toBe(200);
      const out = { method: 'DELETE', headers: { Cookie: cookie, Origin: asked.server.url } };
      expect((await fetch(`${asked.server.url}/api/session`, out)).status).toBe(200);
      expect(await projects()).toBe(401);
    }
  });
});
