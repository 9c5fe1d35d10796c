import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import type { Run } from '@svc/records';
import { stringify } from 'yaml';
import { writeSettings } from './agents.ts';
import { type Running, runCommand, type TestHome, until, withHome } from './harness.ts';

jest.setTimeout(120_000);

const DEMO = '/api/projects/demo';
const triggers = {
  works: {
    trigger: { type: 'schedule', cron: '0 0 1 1 *' },
    run: { prompt: '```sh\nsh work.sh\n```', tools: ['Bash'] },
    enabled: true,
  },
};

interface History {
  readonly runs: readonly Run[];
  readonly removed: { readonly count: number; readonly until: string } | null;
}

async function withRuns(
  count: number,
  test: (home: TestHome, fired: readonly Run[]) => Promise<void>,
): Promise<void> {
  await withHome(async (home) => {
    home.write('projects/demo/project.yaml', stringify({ triggers }));
    home.write('projects/demo/work.sh', 'exit 1\n');
    const server = await home.serve();
    await fire(server);
    home.write('projects/demo/work.sh', 'true\n');
    for (let n = 1; n < count; n += 1) await fire(server);
    const { runs } = await history(server);
    await server.stop();
    await test(home, runs);
  });
}

async function fire(server: Running): Promise<void> {
  await server.send('POST', `${DEMO}/triggers/works/run`);
  await until(async () => (await history(server)).runs.every(({ state }) => state === 'ended'));
}

const history = async (server: Running): Promise<History> =>
  (await server.get(`${DEMO}/triggers/works/runs?limit=200`)).body as History;

// proves: retention.begins, retention.newest-failure, retention.shown
it('a server prunes old runs soon after its start, and reports it on all surfaces', () =>
  withRuns(7, async (home, fired) => {
    expect(fired.map(({ outcome }) => outcome)).toEqual([...Array(6).fill('succeeded'), 'failed']);
    writeSettings(home, { retention: { runs: 2, age: null } });
    const server = await home.serve();
    const left = await until(async () => {
      const found = await history(server);
      return found.removed === null ? null : found;
    });
    expect(left.runs.map(({ id }) => id)).toEqual([0, 1, 6].map((n) => fired[n]?.id));
    expect(left.removed).toEqual({ count: 4, until: fired[2]?.claimedAt });
    const gone = fired[3];
    expect(await server.get(`${DEMO}/runs/${gone?.id}`)).toMatchObject({
      status: 404,
      body: {
        error: 'There is no such run. Runs of that age were removed by retention.',
        code: 'not_found',
        pruned: true,
      },
    });
    expect(await server.get(`${DEMO}/chats/${gone?.sessionId}`)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('removed by retention'), pruned: true },
    });
    expect((await server.get('/api/settings')).body).toMatchObject({
      settings: {
        'retention.runs': { value: 2, source: 'file' },
        'retention.age': { value: null, source: 'file' },
      },
    });
    const line = await until(async () =>
      server.lines.find(({ msg }) => msg === 'old runs removed'),
    );
    expect(line).toMatchObject({
      runs: 4,
      chats: 4,
      bytes: expect.any(Number),
      bytesGivenBack: expect.any(Number),
    });
    const { body } = await server.get('/metrics');
    expect(body).toContain('svc_pruned_runs_total 4');
    expect(body).toMatch(/svc_database_bytes \d{5,}/);
    await server.stop();
    const { out } = await runCommand(['doctor', '--home', home.home]);
    expect(out).toMatch(/^database: \d+\.\d MB .*retention: the newest 2 runs of each trigger$/m);
  }));

// proves: retention.killed
it('a server that was killed while pruning loses nothing else, and the next one continues', () =>
  withRuns(30, async (home, fired) => {
    const kept = fired
      .slice(0, 1)
      .concat(fired.slice(-1))
      .map(({ id }) => id);
    writeSettings(home, { retention: { runs: 1 } });
    const first = await home.serve();
    await until(async () => (await history(first)).runs.length < fired.length);
    await first.stop('SIGKILL');
    const second = await home.serve();
    const left = await until(async () => {
      const { runs } = await history(second);
      return runs.length === 2 ? runs : null;
    });
    expect(left.map(({ id }) => id)).toEqual(kept);
    for (const { sessionId } of left) {
      expect((await second.get(`${DEMO}/chats/${sessionId}`)).status).toBe(200);
    }
    const { body } = await second.get(`${DEMO}/usage?days=2`);
    expect(body).toMatchObject({ total: { runs: fired.length } });
    expect(await second.stop()).toBe(0);
    expect(statSync(join(home.home, 'data/svc.db')).size).toBeGreaterThan(0);
  }));
