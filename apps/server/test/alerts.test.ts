import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { fire, transcript } from './agents.ts';
import { type Running, type TestHome, until, withHome } from './harness.ts';
import { type Received, type Receiver, WEBHOOK_SECRET, withReceiver } from './webhook-receiver.ts';

jest.setTimeout(90_000);

const DAY = 86_400_000;
// Shorter than an attempt of a command that never ends.
const LONGEST_STOP_MS = 25_000;
const ENV = { HOOK_SECRET: WEBHOOK_SECRET };

const sink = (url: string, rest = ''): string =>
  `{ url: "${url}", secret: { ref: env:HOOK_SECRET }${rest} }`;
const notify = (sinks: Readonly<Record<string, string>>, rest = ''): string =>
  `notify:\n  sinks:\n${Object.entries(sinks)
    .map(([id, text]) => `    ${id}: ${text}\n`)
    .join('')}${rest}`;

const bash = (command: string): string => `\`\`\`bash\n${command}\n\`\`\``;
const trigger = (steps: string, rest = ''): string => `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run:
      prompt: |
${steps.replace(/^/gm, '        ')}
    enabled: true
    ${rest}
`;

const BREAKS = bash('test -f fine || { echo broken >&2; exit 3; }');
const typesOf = ({ got }: Receiver): string[] => got.map(({ body }) => body.type);
const first = ({ got }: Receiver, type: string): Promise<Received> =>
  until(async () => got.find(({ body }) => body.type === type) ?? null);
const alertsOf = async (server: Running) => {
  const { body } = await server.get('/api/status');
  return (body as { alerts: { failing: { sink: string; error: string }[]; waiting: number } })
    .alerts;
};

async function withBoth(
  test: (home: TestHome, receiver: Receiver) => Promise<void>,
): Promise<void> {
  await withHome((home) => withReceiver((receiver) => test(home, receiver)));
}

describe('alerts', () => {
  // proves: alerts.sent, alerts.signed, alerts.command, alerts.heartbeat
  it('notify a webhook and a command of failures, pauses and recoveries, and ping a heartbeat address', () =>
    withBoth(async (home, receiver) => {
      const script = 'cat >> alerts.jsonl; echo >> alerts.jsonl';
      const command = `{ command: sh, args: [-c, "${script}"], on: [failed] }`;
      const watcher = `  heartbeat: { url: "${receiver.url}/ping" }\n`;
      home.write('svc.config.yaml', notify({ ops: sink(receiver.url), shell: command }, watcher));
      home.write('projects/demo/project.yaml', trigger(BREAKS));
      const server = await home.serve(ENV);
      const { id: run } = await fire(server, 'it');
      const failed = await first(receiver, 'failed');
      expect(failed.body.data).toMatchObject({
        ...{ project: 'demo', source: 'trigger', trigger: 'it', run, outcome: 'failed' },
        ...{ reason: expect.stringContaining('exit code 3'), failures: 1 },
      });
      const body = await until(async () => home.tryRead('alerts.jsonl').trim() || null);
      expect(JSON.parse(body)).toEqual(failed.body);
      expect(receiver.unsigned).toEqual([]);
      home.write('projects/demo/fine', '');
      await fire(server, 'it');
      await first(receiver, 'recovered');
      await until(async () => receiver.unsigned.length === 1);
      expect(receiver.unsigned[0]).toMatchObject({ method: 'GET', url: '/ping' });
      await server.send('POST', '/api/pause', { reason: 'Moving.' });
      const paused = await first(receiver, 'paused');
      expect(paused.body.data).toMatchObject({
        project: null,
        reason: expect.stringContaining('(reason: Moving)'),
      });
      expect(typesOf(receiver)).toEqual(['failed', 'recovered', 'paused']);
      expect(await alertsOf(server)).toEqual({ failing: [], waiting: 0 });
    }));

  // proves: alerts.paused
  it('report that a trigger was paused after failures', () =>
    withBoth(async (home, receiver) => {
      home.write('svc.config.yaml', notify({ ops: sink(receiver.url, ', threshold: 2') }));
      const guarded = trigger(BREAKS, 'policy: { pauseAfterFailures: 2 }');
      home.write('projects/demo/project.yaml', guarded);
      const server = await home.serve(ENV);
      await fire(server, 'it');
      const { id: run } = await fire(server, 'it');
      const paused = await first(receiver, 'paused');
      expect(paused.body.data).toMatchObject({
        ...{ run, trigger: 'it', reason: 'The trigger was paused after 2 failures in a row.' },
      });
      expect(typesOf(receiver)).toEqual(['failed', 'paused']);
    }));

  // proves: alerts.restart
  it('that were pending when the service was killed reach the sink once each, with the same id', () =>
    withBoth(async (home, receiver) => {
      home.write('svc.config.yaml', notify({ ops: sink(receiver.url) }));
      home.write('projects/demo/project.yaml', trigger(BREAKS));
      receiver.respond = () => {};
      const server = await home.serve(ENV);
      await fire(server, 'it');
      const failure = await first(receiver, 'failed');
      await server.stop('SIGKILL');
      receiver.respond = (response) => response.writeHead(204).end();
      const again = await home.serve(ENV);
      await until(async () => receiver.got.length === 2);
      expect(receiver.got[1]).toEqual(failure);
      await until(async () => (await alertsOf(again)).waiting === 0);
      await again.stop();
      await home.serve(ENV);
      expect(receiver.got).toHaveLength(2);
    }));

  // proves: alerts.digest
  it('send a digest on Monday, and later if the service was down then', () =>
    withBoth(async (home, receiver) => {
      home.write('svc.config.yaml', notify({ ops: sink(receiver.url, ', on: [digest]') }));
      home.write('projects/demo/project.yaml', `${trigger(BREAKS)}  broken: {}\n`);
      const server = await home.serve(ENV);
      await fire(server, 'it');
      await server.stop();
      const db = new DatabaseSync(join(home.home, 'data/svc.db'));
      const row = db.prepare("select value from instance where key = 'alerts_digest'").get();
      // Times are stored in six bytes.
      const monday = Buffer.from((row as { value: Uint8Array }).value).readUIntBE(0, 6);
      const kept = (at: number): Buffer => {
        const bytes = Buffer.alloc(6);
        bytes.writeUIntBE(at, 0, 6);
        return bytes;
      };
      // Test servers use UTC, and 08:00 is eight hours into the day.
      const midnight = monday - 8 * 3_600_000;
      const from = new Date(midnight - 7 * DAY).toISOString();
      const digest = "update instance set value = ? where key = 'alerts_digest'";
      db.prepare(digest).run(kept(monday - 7 * DAY));
      const day = new Date(monday - DAY).toISOString().slice(0, 10);
      for (const table of ['usage_day', 'outcome_day']) {
        db.prepare(`update ${table} set day = ?`).run(day);
      }
      db.close();
      for (let life = 0; life < 2; life += 1) {
        const again = await home.serve(ENV);
        const digest = await first(receiver, 'digest');
        expect(digest.body.data).toMatchObject({
          ...{ from, to: new Date(midnight).toISOString() },
          total: { runs: 1, failures: 1, missed: 0, skipped: 0 },
          triggers: [{ project: 'demo', trigger: 'it', runs: 1, failures: 1 }],
          now: [{ project: 'demo', failing: 1, invalid: 1 }],
        });
        await until(async () => (await alertsOf(again)).waiting === 0);
        await again.stop();
      }
      expect(typesOf(receiver)).toEqual(['digest']);
    }));

  // proves: alerts.failing-shows, alerts.try
  it('that a sink rejects do not affect runs, are retried, and show in status, settings, log and metrics', () =>
    withBoth(async (home, receiver) => {
      receiver.respond = (response) => response.writeHead(500).end();
      const two = { ops: sink(receiver.url), other: sink(receiver.url, ', on: [missed]') };
      home.write('svc.config.yaml', notify(two));
      home.write('projects/demo/project.yaml', trigger(BREAKS));
      const server = await home.serve(ENV);
      await fire(server, 'it');
      await until(async () => (await alertsOf(server)).failing.length === 1);
      expect(await alertsOf(server)).toEqual({
        failing: [{ sink: 'ops', error: 'The server responded with status 500.' }],
        waiting: 1,
      });
      const shown = (await server.get('/api/settings')).body as { alerts: object };
      expect(shown.alerts).toMatchObject({
        sinks: [
          { id: 'ops', to: receiver.url, lastTry: { ok: false }, waiting: 1 },
          { id: 'other' },
        ],
      });
      expect(server.lines).toContainEqual(
        expect.objectContaining({ msg: 'alert sink failing', sink: 'ops' }),
      );
      const metrics = String((await server.get('/metrics')).body);
      expect(metrics).toContain('svc_alerts_total{sink="ops",result="failed"} 1');
      expect(metrics).toMatch(/^svc_alerts_waiting 1$/m);
      const no = await home.run('alerts', 'test', 'ops');
      expect(no).toMatchObject({ code: 1, out: 'ops: The server responded with status 500.\n' });
      receiver.respond = (response) => response.writeHead(204).end();
      const yes = await home.run('alerts', 'test');
      expect(yes).toMatchObject({
        code: 0,
        out: 'ops: delivered.\nother: delivered.\n',
      });
      await until(async () => (await alertsOf(server)).waiting === 0);
      const ids = receiver.got.filter(({ body }) => body.type === 'failed').map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
      expect(await server.send('POST', '/api/alerts/test', { sink: 'none' })).toMatchObject({
        status: 404,
        body: { error: 'There is no sink none. Available: ops, other.' },
      });
    }));

  // proves: alerts.redirects
  it('are sent nowhere else, whatever the sink answers', () =>
    withReceiver((elsewhere) =>
      withBoth(async (home, receiver) => {
        receiver.respond = (response) =>
          response.writeHead(307, { location: elsewhere.url }).end('x'.repeat(10_000_000));
        home.write('svc.config.yaml', notify({ ops: sink(receiver.url) }));
        const server = await home.serve(ENV);
        const { body } = await server.send('POST', '/api/alerts/test');
        expect(body).toMatchObject({
          tried: [
            {
              sink: 'ops',
              error: 'The server responded with status 307. Redirects are not followed.',
            },
          ],
        });
        expect([...elsewhere.got, ...elsewhere.unsigned]).toEqual([]);
      }),
    ));

  // proves: alerts.secret-missing
  it('wait for a sink whose secret is missing, which is reported; the other sinks get theirs', () =>
    withBoth(async (home, receiver) => {
      const keyless = `{ url: "${receiver.url}", secret: { ref: env:NO_SUCH } }`;
      home.write('svc.config.yaml', notify({ keyless, ops: sink(`${receiver.url}/hidden-path`) }));
      home.write('projects/demo/project.yaml', trigger(bash('env; echo $HOOK_SECRET; exit 3')));
      const said = 'Its secret is missing. Export NO_SUCH and restart svc.';
      expect((await home.run('doctor')).out).toContain(said);
      const server = await home.serve(ENV);
      const run = await fire(server, 'it');
      await first(receiver, 'failed');
      await until(async () => (await alertsOf(server)).waiting === 1);
      expect((await alertsOf(server)).failing).toEqual([{ sink: 'keyless', error: said }]);
      for (const command of ['status', 'doctor']) {
        expect((await home.run(command)).out).toContain(`alerts: keyless is failing. ${said}\n`);
      }
      const shown = JSON.stringify((await server.get('/api/settings')).body);
      const messages = await transcript(server, run.sessionId);
      const all = JSON.stringify([shown, server.lines, messages, receiver.got]);
      expect(all).toContain('exit code 3');
      expect(all).not.toContain(WEBHOOK_SECRET);
      expect(all).not.toContain('hidden-path');
      await server.stop();
      await home.serve({ ...ENV, NO_SUCH: WEBHOOK_SECRET });
      const both = async () => receiver.got.filter(({ body }) => body.type === 'failed').length;
      expect(await both()).toBe(1);
      await home.run('alerts', 'test', 'keyless');
      await until(async () => (await both()) === 2);
    }));

  // proves: alerts.stop
  it(
    'do not delay a shutdown: neither a webhook that never answers nor a command that never ends',
    () =>
      withBoth(async (home, receiver) => {
        receiver.respond = () => {};
        const endless = '{ command: sh, args: [-c, "echo yes > began; sleep 600 & sleep 600"] }';
        const config = notify({ ops: sink(receiver.url), endless });
        home.write('svc.config.yaml', `server: { drainTimeout: 1s }\n${config}`);
        home.write('projects/demo/project.yaml', trigger(BREAKS));
        const server = await home.serve(ENV);
        await fire(server, 'it');
        await first(receiver, 'failed');
        await until(async () => home.tryRead('began') !== '');
        expect(await fire(server, 'it')).toMatchObject({ outcome: 'failed' });
        expect(await server.stop('SIGTERM')).toBe(0);
      }),
    LONGEST_STOP_MS,
  );
});
