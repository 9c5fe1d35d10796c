import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '../test/harness.ts';
import { startPair } from './cluster.ts';
import { type OwnPostgres, startOwnPostgres, withDatabase, withPassword } from './postgres.ts';

jest.setTimeout(120_000);

const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1s }
    run:
      prompt: "\`\`\`bash\\ntrue\\n\`\`\`"
      tools: [Bash]
      session: resume
    enabled: true
`;

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.close());

interface Found {
  readonly url: string;
  readonly pid: number;
}

/** The address of the server of a home, once it is logged. */
function foundIn(home: string): Promise<Found> {
  const file = join(home, 'data/instance.json');
  return until(async () => existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as Found));
}

async function answerOf(url: string, accept = 'application/json') {
  const response = await fetch(url, { headers: { accept } });
  const text = await response.text();
  return { status: response.status, body: accept === 'text/html' ? text : JSON.parse(text) };
}

const readiness = ({ url }: { readonly url: string }) => answerOf(`${url}/readyz`);

/** Waits until it is not ready for a reason with these words. */
const unready = (server: { readonly url: string }, words: string) =>
  until(async () => {
    const { status, body } = await readiness(server);
    return status === 503 && body.reason.includes(words) && body;
  });

const named = (lines: readonly Record<string, unknown>[], msg: string) =>
  lines.filter((line) => line['msg'] === msg);

const RUN_END = 'run ended';
const WAITS = 'listening, waiting for the database';

describe('a start without its database', () => {
  // proves: nodes.waits
  it('answers with the reason, and continues automatically once the database is available', () =>
    withDatabase(postgres, async ({ home, write, run, serve }, database) => {
      write('projects/demo/project.yaml', PROJECT);
      const env = { SVC_DATABASE_URL: database.url };
      await postgres.stop();
      const serving = serve(env);
      const found = await foundIn(home);
      const { host, pathname } = new URL(database.url);
      const reason = `The database ${pathname.slice(1)} on ${host} refuses connections. Start its server, or correct host and port in SVC_DATABASE_URL.`;
      expect(await unready(found, 'refuses connections')).toEqual({ ok: false, reason });
      expect(await answerOf(`${found.url}/livez`)).toEqual({ status: 200, body: { ok: true } });
      for (const path of ['/api/projects', '/api/session', '/metrics', '/mcp', '/']) {
        expect(await answerOf(found.url + path)).toEqual({
          status: 503,
          body: { error: reason, code: 'unavailable' },
        });
      }
      const page = await answerOf(`${found.url}/projects/demo`, 'text/html');
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('<html')]);
      expect((await run('doctor')).out).toContain(`server: ${reason}`);
      expect(await run('pause')).toMatchObject({ code: 1, error: `svc: ${reason}\n` });
      expect(await run('serve', '--port', '0')).toMatchObject({
        code: 1,
        error: expect.stringContaining(`(pid ${found.pid}, at ${found.url})`),
      });
      await postgres.start();
      const server = await serving;
      expect([server.url, server.process.pid]).toEqual([found.url, found.pid]);
      expect(await readiness(server)).toMatchObject({ status: 200 });
      expect((await server.get('/api/projects')).status).toBe(200);
      const once = [WAITS, 'database reachable', 'listening'];
      expect(once.map((msg) => named(server.lines, msg).length)).toEqual([1, 1, 1]);
      expect(named(server.lines, WAITS)).toMatchObject([{ level: 40, reason, url: found.url }]);
    }));

  // proves: nodes.waits
  it('waits for a database that does not exist yet, too', () =>
    withDatabase(postgres, async ({ home, serve }, database) => {
      const url = new URL(database.url);
      url.pathname += '_later';
      const serving = serve({ SVC_DATABASE_URL: url.href });
      await unready(await foundIn(home), 'does not exist. Create');
      await database.query(`create database ${url.pathname.slice(1)}`);
      const server = await serving;
      expect(await readiness(server)).toMatchObject({ status: 200 });
      await server.stop();
      await database.query(`drop database ${url.pathname.slice(1)} with (force)`);
    }));

  // proves: nodes.waits
  it('ends at once on request, and leaves nothing behind', () =>
    withDatabase(postgres, async ({ home, serve }, database) => {
      const url = new URL(database.url);
      url.username = 'nobody_known';
      const serving = serve({ SVC_DATABASE_URL: url.href });
      const ended = expect(serving).rejects.toThrow(/^exit 0: $/);
      const found = await foundIn(home);
      await unready(found, 'rejected the user nobody_known');
      process.kill(found.pid, 'SIGTERM');
      await ended;
      expect(existsSync(join(home, 'data/instance.json'))).toBe(false);
      const next = await serve({ SVC_DATABASE_URL: database.url });
      expect(await next.stop()).toBe(0);
    }));

  // proves: nodes.waits
  it('also waits when the database fails after it was opened, and then starts again', () =>
    withDatabase(postgres, async ({ home, write, serve }, database) => {
      write('projects/demo/project.yaml', PROJECT);
      const env = { SVC_DATABASE_URL: database.url };
      await (await serve(env)).stop();
      // It can be opened, but the start fails.
      await database.query(`
        alter table turn rename to turn_kept;
        create function away() returns setof turn_kept language plpgsql as
          $$ begin raise exception 'away' using errcode = '57P03'; end $$;
        create view turn as select * from away()`);
      const serving = serve(env);
      const found = await foundIn(home);
      await unready(found, 'The server of the database');
      expect(await database.query('select id from node')).toHaveLength(2);
      await database.query(
        'drop view turn; drop function away; alter table turn_kept rename to turn',
      );
      const server = await serving;
      expect(server.process.pid).toBe(found.pid);
      expect(await readiness(server)).toMatchObject({ status: 200 });
      expect(String((await server.get('/metrics')).body)).toContain('svc_armed_triggers 1');
      expect(named(server.lines, WAITS)).toHaveLength(1);
    }));

  it('is refused when waiting cannot help', () =>
    withDatabase(postgres, async ({ home, serve }, database) => {
      const env = { SVC_DATABASE_URL: database.url };
      await (await serve(env)).stop();
      await database.query(
        `insert into kysely_migration values ('999_future', '2030-01-01T00:00:00.000Z')`,
      );
      await expect(serve(env)).rejects.toThrow(/^exit 1: svc: .*newer/s);
      expect(existsSync(join(home, 'data/instance.json'))).toBe(false);
    }));
});

describe('svc doctor', () => {
  // proves: nodes.database-in-words
  it('reports without a server whether the database answers, and changes nothing in it', () =>
    withDatabase(postgres, async ({ home, run, write }, database) => {
      write('svc.config.yaml', `database: { url: "${withPassword(database.url, 'hush-hush')}" }\n`);
      const { code, out } = await run('doctor');
      const shown = withPassword(database.url, '***');
      expect([code, out]).toEqual([0, expect.stringContaining(`on a server (${shown})`)]);
      expect(await database.query(`select * from pg_tables where schemaname = 'public'`)).toEqual(
        [],
      );
      await postgres.stop();
      const away = await run('doctor');
      await postgres.start();
      expect([away.code, away.out]).toEqual([1, expect.stringContaining(' refuses connections. ')]);
      expect(out + away.out).not.toContain('hush-hush');
      expect(existsSync(join(home, 'data'))).toBe(false);
    }));
});

describe('a database that becomes unavailable and returns', () => {
  // proves: nodes.outage, nodes.outage-logged
  it('is reported meanwhile, and the service continues automatically', () =>
    withDatabase(postgres, async ({ write, serve }, database) => {
      write('projects/demo/project.yaml', PROJECT);
      const server = await serve({ SVC_DATABASE_URL: database.url });
      const newest = async () => {
        const { body } = await server.get('/api/projects/demo/runs?limit=1');
        const { runs } = body as { runs: { outcome: string | null; startedAt: string }[] };
        return runs[0];
      };
      await until(async () => (await newest())?.outcome === 'succeeded');
      await postgres.stop();
      await unready(server, 'refuses connections');
      const { status, body } = await server.get('/api/projects/demo/runs');
      expect([status, body]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
      expect(await answerOf(`${server.url}/livez`)).toMatchObject({ status: 200 });
      const back = Date.now();
      await postgres.start();
      await until(async () => (await readiness(server)).status === 200);
      await until(async () => {
        const run = await newest();
        return run?.outcome === 'succeeded' && Date.parse(run.startedAt) > back;
      });
      const errors = server.lines.filter(({ level, msg }) => Number(level) > 30 && msg !== RUN_END);
      expect(errors.map(({ msg }) => msg)).toEqual(['database unavailable']);
      expect(named(server.lines, 'database writable again')).toHaveLength(1);
      expect(await server.stop()).toBe(0);
    }));

  // proves: nodes.outage-blameless
  it('fails no run and pauses no trigger, however long two servers are without it', async () => {
    const limits = { minInterval: '1s', concurrentTurns: 8, concurrentTurnsPerProject: 3 };
    const pair = await startPair(postgres, { limits });
    try {
      const steps = Array.from({ length: 4 }, (_, n) => `Step ${n}.\n\`\`\`bash\nsleep 1\n\`\`\``);
      const record = {
        trigger: { type: 'schedule', interval: '4s' },
        run: { prompt: steps.join('\n'), tools: ['Bash'] },
        enabled: true,
        policy: { pauseAfterFailures: 1 },
      };
      const triggers = { one: record, two: record, three: record };
      for (const peer of pair.both) pair.project(peer, triggers);
      const count = async (what: string): Promise<number> =>
        Number((await pair.database.query(`select count(*) as n from ${what}`))[0]?.['n' as never]);
      await until(async () => (await count("run where state = 'running'")) > 3);
      await postgres.stop();
      await new Promise((resolve) => setTimeout(resolve, 18_000));
      const before = Date.now();
      await postgres.start();
      const since = new Date(before).toISOString();
      await until(
        async () =>
          (await count(`run where outcome = 'succeeded' and started_at > '${since}'`).catch(
            () => 0,
          )) > 6,
        60,
      );
      const outcomes = await pair.database.query(
        'select outcome, reason from run where outcome is not null group by 1, 2',
      );
      expect(outcomes).not.toContainEqual(expect.objectContaining({ outcome: 'failed' }));
      expect(await count('trigger_state where paused_at is not null')).toBe(0);
    } finally {
      await pair.close();
    }
  });
});
