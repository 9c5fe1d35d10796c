import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '../test/harness.ts';
import { type Receiver, WEBHOOK_SECRET, withReceiver } from '../test/webhook-receiver.ts';
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
import { runningAt } from './cluster-kill.ts';
import { type Postgres, startPostgres } from './postgres.ts';

jest.setTimeout(60_000);

let postgres: Postgres;
let pair: Pair;
let peers: readonly Peer[];
let receiver: Receiver;
let receive: () => void;
let receiving: Promise<void>;

/** Projects with a mistake in their file. */
const broken: string[] = [];
const GOOD = [{ name: 'it', armed: true }];
const EDITS = ['disabled client:ci client', 'changed user rest', 'defined user rest'];

beforeAll(async () => {
  postgres = await startPostgres();
  receiver = await new Promise((resolve) => {
    receiving = withReceiver(
      (made) =>
        new Promise((done) => {
          receive = done;
          resolve(made);
        }),
    );
  });
  const sink = { url: receiver.url, secret: { ref: 'env:HOOK' } };
  const settings = { notify: { sinks: { ops: sink } } };
  pair = await startPair(postgres, settings, { HOOK: WEBHOOK_SECRET });
  peers = pair.both;
});
afterAll(async () => {
  await pair?.close();
  receive?.();
  await receiving;
  await postgres?.close();
});

describe('a file with a mistake', () => {
  // proves: nodes.last-good
  it('keeps the last good version armed on both servers, whichever saw it', async () => {
    for (const keeper of peers) {
      const project = await pair.armed(keeper, { old: does('true') });
      for (const peer of peers)
        expect(await runtimeOf(peer, project)).toMatchObject([{ name: 'old', armed: true }]);
      await keeper.at(project, 'DELETE', '/triggers/old');
      await keeper.at(project, 'PUT', '/triggers/it', does('true'));
      const text = readFileSync(join(pair.projects, project, 'project.yaml'), 'utf8');
      pair.write(project, `${text}\n  - [`);
      for (const peer of peers) expect(await runtimeOf(peer, project)).toMatchObject(GOOD);
      broken.push(project);
    }
  });
});

describe('reports', () => {
  // proves: nodes.alike
  it('are the same on both servers: settings, changes, runs, usage, reasons', async () => {
    for (const asked of peers) {
      const project = await pair.armed(asked, { it: does('true') });
      await asked.at(project, 'PUT', '/triggers/it', does('exit 3'));
      await callAsClient(pair.other(asked), 'set_trigger', { project, name: 'it', enabled: false });
      await reaches(asked, project, await runNow(asked, project, 'it'), 'ended');
      const at = new Date().toISOString();
      const alike = async (path: string): Promise<never> => {
        const replies = await Promise.all(peers.map((peer) => peer.ask('GET', path)));
        expect([path, replies[0]?.status]).toEqual([path, 200]);
        expect(replies[0]?.body).toEqual(replies[1]?.body);
        return replies[0]?.body as never;
      };
      const of = `/api/projects/${project}`;
      const { changes } = (await alike(`${of}/triggers/it/changes`)) as {
        changes: { kind: string; by: string | null; via: string }[];
      };
      const edits = changes.filter(({ by }) => by !== null);
      expect(edits.map(({ kind, by, via }) => `${kind} ${by} ${via}`)).toEqual(EDITS);
      for (const path of ['', '/runs', '/usage', '/triggers', '/upcoming', '/chats', '/events'])
        await alike(`${of}${path}`);
      await alike(`${of}/triggers/it/why?at=${at}`);
      await alike('/api/projects');
      const status = await Promise.all(peers.map((peer) => peer.ask('GET', '/api/status')));
      // Each server reports its own last heartbeat.
      const [one, two] = status.map(({ body }) => ({
        ...(body as object),
        ...{ nodes: null, answeredBy: null },
      }));
      expect(one).toEqual(two);
    }
  });
});

describe('alerts', () => {
  // proves: nodes.alerts
  it('are sent once, and soon, for failures on either server', async () => {
    const failed = [...peers, ...peers].map(async (asked, n) => {
      const project = pair.project(peers[n >> 1] as Peer, { it: does('exit 3') });
      await reaches(asked, project, await runNow(asked, project, 'it'), 'ended');
      return project;
    });
    const projects = await Promise.all(failed);
    const alertsOf = (project: string) =>
      receiver.got.filter(({ body }) => body.data['project'] === project);
    await until(async () => projects.every((project) => alertsOf(project).length > 0), 3);
    for (const project of projects) expect(alertsOf(project)).toHaveLength(1);
  });
});

const longestGap = (file: string): number => {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const at = lines.map((line) => Number(line) / 1e6);
  return Math.max(...at.slice(1).map((one, n) => one - (at[n] ?? one)));
};

const alertsOf = async (peer: Peer) =>
  (
    (await peer.ask('GET', '/api/status')).body as {
      alerts: { failing: object[]; waiting: number };
    }
  ).alerts;

describe('an alert sink', () => {
  // proves: nodes.alerts
  it('that fails is reported by both servers, and gets each alert once as soon as a test on either succeeds', async () => {
    for (const asked of peers) {
      const project = pair.project(asked, { it: does('exit 3') });
      receiver.respond = (response) => response.writeHead(500).end();
      await reaches(asked, project, await runNow(asked, project, 'it'), 'ended');
      for (const peer of peers)
        await until(async () => (await alertsOf(peer)).failing.length === 1, 3);
      expect(await alertsOf(pair.a)).toEqual(await alertsOf(pair.b));
      receiver.respond = (response) => response.writeHead(204).end();
      const before = receiver.got.length;
      const tried = await asked.ask('POST', '/api/alerts/test');
      expect(tried.status).toBe(200);
      await until(async () => (await alertsOf(pair.a)).waiting === 0, 3);
      const got = receiver.got.slice(before).map(({ body }) => body);
      expect(got.map(({ type, data }) => [type, data['project']])).toEqual([
        ['test', undefined],
        ['failed', project],
      ]);
      for (const peer of peers) expect((await alertsOf(peer)).failing).toEqual([]);
    }
  });
});

describe('a server that shuts down', () => {
  // proves: nodes.stopped, nodes.last-good, nodes.alerts, nodes.alike
  it('hands its projects over at once, and lets its turn end', async () => {
    const projects = await Promise.all(
      peers.map((peer) => pair.armed(peer, { it: everySecond('date +%s%N >> ran') })),
    );
    const fileOf = (project: string) => join(pair.projects, project, 'ran');
    for (const project of projects) await until(async () => existsSync(fileOf(project)));
    const instants: number[] = [];
    for (const leaving of peers) {
      const staying = pair.other(leaving);
      const long = await runningAt(pair, leaving, 'sleep 2');
      instants.push(Date.now() + 1000);
      expect(await leaving.server.stop()).toBe(0);
      expect(await runOf(staying, long.project, long.id)).toMatchObject({ outcome: 'succeeded' });
      for (const project of broken) expect(await runtimeOf(staying, project)).toMatchObject(GOOD);
      const failing = pair.project(leaving, { it: does('exit 3') });
      await reaches(staying, failing, await runNow(staying, failing, 'it'), 'ended');
      await until(async () => receiver.got.some(({ body }) => body.data['project'] === failing), 5);
      await leaving.start();
      for (const project of broken) expect(await runtimeOf(leaving, project)).toMatchObject(GOOD);
    }
    for (const project of projects) {
      const outcomes = (await runsOf(pair.a, project)).map(({ outcome }) => outcome);
      expect(new Set(outcomes.filter((outcome) => outcome !== null))).toEqual(
        new Set(['succeeded']),
      );
      expect(longestGap(fileOf(project))).toBeLessThan(2500);
      for (const instant of instants) {
        const at = new Date(instant).toISOString();
        const { body } = await pair.a.at(project, 'GET', `/triggers/it/why?at=${at}`);
        expect(JSON.stringify(body)).not.toMatch(/not running|was down|stopped/);
      }
      await pair.a.at(project, 'DELETE', '/triggers/it');
    }
  });
});
