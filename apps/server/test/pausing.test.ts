import { describe, expect, it, jest } from '@jest/globals';
import { type Running, until, withHome } from './harness.ts';

jest.setTimeout(60_000);

const DEMO = '/api/projects/demo';
const TRIGGERS = `triggers:
  often:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`", tools: [Bash] }
    enabled: true
  long:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nsleep 600\\n\`\`\`", tools: [Bash] }
    enabled: true
  fails:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nexit 1\\n\`\`\`", tools: [Bash] }
    enabled: true
    policy: { pauseAfterFailures: 2 }
`;
const CONFIG = 'limits: { minInterval: 1s }\n';

interface Row {
  readonly trigger: string;
  readonly outcome: string | null;
  readonly state: string;
  readonly startedAt: string | null;
  readonly reason: string | null;
}

async function runsOf(server: Running, trigger: string): Promise<readonly Row[]> {
  const { body } = await server.get(`${DEMO}/runs?trigger=${trigger}`);
  return (body as { runs: Row[] }).runs;
}

async function runtimeOf(server: Running, name: string): Promise<unknown> {
  const { body } = await server.get(`${DEMO}/triggers/runtime`);
  const { runtime } = body as { runtime: { name: string }[] };
  return runtime.find((each) => each.name === name);
}

async function fails(server: Running): Promise<void> {
  const before = (await runsOf(server, 'fails')).length;
  await server.send('POST', `${DEMO}/triggers/fails/run`);
  await until(async () => {
    const rows = await runsOf(server, 'fails');
    return rows.length > before && rows.every(({ state }) => state === 'ended');
  });
}

describe('POST /api/pause', () => {
  // proves: pausing.all, pausing.all.restart, pausing.all.asked-for
  it('lets nothing start after its answer, stops running turns on request, and survives a kill', () =>
    withHome(async ({ write, serve }) => {
      write('svc.config.yaml', CONFIG);
      write('projects/demo/project.yaml', TRIGGERS);
      let server = await serve();
      await until(async () => (await runsOf(server, 'often'))[0]?.outcome === 'succeeded');
      await server.send('POST', `${DEMO}/triggers/long/run`);
      await until(async () => (await runsOf(server, 'long'))[0]?.state === 'running');
      expect(await server.send('POST', '/api/pause')).toMatchObject({
        status: 200,
        body: { paused: { by: 'user', reason: null }, stopped: 0 },
      });
      const { at } = ((await server.get('/api/status')).body as { paused: { at: string } }).paused;
      await until(async () => (await runsOf(server, 'often'))[0]?.outcome === 'skipped_paused');
      expect((await runsOf(server, 'long'))[0]?.state).toBe('running');
      await server.send('POST', '/api/pause', { reason: 'Now all.', stopRunning: true });
      await until(async () => (await runsOf(server, 'long'))[0]?.outcome === 'cancelled');
      expect((await runsOf(server, 'long'))[0]?.reason).toBe(
        'All triggers were paused by a user (reason: Now all).',
      );
      await server.stop('SIGKILL');
      server = await serve();
      expect((await server.get('/api/status')).body).toMatchObject({
        paused: { reason: 'Now all.' },
        nodes: [{ running: 0 }],
        running: [],
      });
      for (const name of ['often', 'long', 'fails']) {
        expect(await runtimeOf(server, name)).toMatchObject({
          paused: true,
          reason: 'All triggers were paused by a user (reason: Now all).',
        });
      }
      const skipped = (await runsOf(server, 'often'))[0];
      await until(async () => (await runsOf(server, 'often'))[0]?.outcome === 'skipped_paused');
      expect(skipped?.startedAt).toBe(null);
      const late = (await runsOf(server, 'often')).filter(
        ({ startedAt }) => startedAt !== null && Date.parse(startedAt) > Date.parse(at) + 1000,
      );
      expect(late).toEqual([]);
      expect((await server.send('POST', '/api/resume')).body).toEqual({ paused: null });
      await until(async () => (await runsOf(server, 'often'))[0]?.outcome === 'succeeded');
    }));

  // proves: pausing.roles
  it('requires write access, as does resuming', () =>
    withHome(async ({ write, serve }) => {
      const roles = 'roles: { read: [viewer], write: [admin] }';
      const auth = `auth: { mode: trusted-header, header: X-User, rolesHeader: X-Roles, trustedProxies: [loopback], ${roles} }\n`;
      write('svc.config.yaml', auth);
      write('projects/demo/project.yaml', TRIGGERS.replace('interval: 1s', 'interval: 1h'));
      const { url } = await serve();
      const ask = async (method: string, path: string, role: string) => {
        const headers = { 'X-User': 'ada', 'X-Roles': role };
        const answer = await fetch(url + path, { method, headers });
        return { status: answer.status, body: await answer.json() };
      };
      const paths = ['/api/pause', '/api/resume', `${DEMO}/triggers/fails/resume`];
      for (const path of paths) expect((await ask('POST', path, 'viewer')).status).toBe(403);
      expect((await ask('GET', '/api/status', 'viewer')).body).toMatchObject({ paused: null });
      for (const path of paths) expect((await ask('POST', path, 'admin')).status).toBe(200);
      await ask('POST', '/api/pause', 'admin');
      expect((await ask('GET', '/api/status', 'viewer')).body).toMatchObject({
        paused: { by: 'ada', reason: null },
      });
    }));
});

describe('POST …/triggers/:name/resume', () => {
  // proves: pausing.failures, pausing.failures.goes-on
  it('resumes a trigger that was paused after failures, and is 404 for an unknown one', () =>
    withHome(async ({ write, read, serve }) => {
      write('projects/demo/project.yaml', TRIGGERS.replace('interval: 1s', 'interval: 1h'));
      const server = await serve();
      await fails(server);
      expect(await runtimeOf(server, 'fails')).toMatchObject({ paused: false });
      await fails(server);
      const reason = 'The trigger was paused after 2 failures in a row.';
      expect(await runtimeOf(server, 'fails')).toMatchObject({
        paused: true,
        reason,
        pausedAfterFailures: { reason },
      });
      expect(await server.send('POST', `${DEMO}/triggers/fails/run`)).toMatchObject({
        status: 202,
        body: { notice: `The trigger is paused, but this run starts. ${reason}` },
      });
      const resumed = { resumed: true, project: 'demo', name: 'fails' };
      const path = `${DEMO}/triggers/fails/resume`;
      expect(await server.send('POST', path)).toEqual({ status: 200, body: resumed });
      expect((await server.send('POST', path)).body).toEqual({ ...resumed, resumed: false });
      expect((await server.send('POST', `${DEMO}/triggers/none/resume`)).status).toBe(404);
      expect(await runtimeOf(server, 'fails')).toMatchObject({ paused: false });
      expect(read('projects/demo/project.yaml')).toContain('policy: { pauseAfterFailures: 2 }');
    }));
});
