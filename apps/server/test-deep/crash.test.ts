import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Run } from '@svc/records';
import {
  isRunning,
  type Running,
  type TestHome,
  until,
  WITHOUT_SANDBOX,
  withUnsandboxedHome,
} from '../test/harness.ts';
import { WEBHOOK_SECRET, withReceiver } from '../test/webhook-receiver.ts';
import { urlOnceReady } from './kill-at.ts';

jest.setTimeout(60_000);

const FAULTY = new URL('faulty-server.mjs', import.meta.url).pathname;

const project = (command: string, interval = '2s'): string => `triggers:
  it:
    trigger: { type: schedule, interval: ${interval} }
    run:
      prompt: |
        Go.

        \`\`\`bash
        ${command}
        \`\`\`
    policy: { catchUpWindow: 1h }
    enabled: true
`;

// One line for each turn that has started to work.
const NOTE = 'echo $SVC_RUN_ID >> begun.log';

const runsOf = async (server: Running): Promise<Run[]> =>
  ((await server.get('/api/projects/demo/runs?limit=200')).body as { runs: Run[] }).runs;

async function crashAt(home: TestHome, point: string): Promise<void> {
  const finished = await home.node(FAULTY, home.home, point);
  expect(finished.signal).toBe('SIGKILL');
  expect(finished.out).toContain(JSON.stringify({ msg: 'fault hit', point }));
}

/** Invariants after every crash. */
async function expectOrder(home: TestHome, server: Running): Promise<Run[]> {
  const runs = await until(async () => {
    const all = await runsOf(server);
    return all.some((run) => run.outcome === 'succeeded') ? all : null;
  });
  const begun = home.read('projects/demo/begun.log').trim().split('\n');
  expect(new Set(begun).size).toBe(begun.length);
  const slots = runs.map((run) => run.scheduledFor);
  expect(new Set(slots).size).toBe(slots.length);
  return runs;
}

describe('killed with SIGKILL', () => {
  // proves: firing.slot.exactly-once
  it('before a claim: the slot is made up for, once', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', project(NOTE));
      await crashAt(home, 'before claim');
      const server = await home.serve();
      const runs = await expectOrder(home, server);
      expect(runs.filter((run) => run.outcome === 'interrupted')).toEqual([]);
    }));

  // proves: firing.slot.exactly-once
  it.each(['after claim', 'between claim and start', 'before the turn starts'])(
    '%s: the claimed slot is started after the restart, once',
    (point) =>
      withUnsandboxedHome(async (home) => {
        home.write('projects/demo/project.yaml', project(NOTE));
        await crashAt(home, point);
        const server = await home.serve();
        const runs = await expectOrder(home, server);
        const first = runs.at(-1);
        expect(first).toMatchObject({ outcome: 'succeeded', slotCount: 1 });
      }),
  );

  it('during a tool: the run is interrupted, its processes and partial files are gone, and it never runs again', () =>
    withUnsandboxedHome(async (home) => {
      home.write(
        'projects/demo/project.yaml',
        project(`${NOTE}; echo $$ > pid; setsid sleep 300 & sleep 300`),
      );
      const first = await home.serve();
      const pid = await until(async () => {
        const running = (await runsOf(first)).some((run) => run.state === 'running');
        // A turn counts as running shortly before its command does.
        return running && (Number(home.tryRead('projects/demo/pid')) || null);
      });
      await first.stop('SIGKILL');
      home.write('projects/demo/project.yaml', project(NOTE, '1h'));
      home.write('projects/demo/docs/.svc-0123456789abcdef.tmp', 'half a file');
      const second = await home.serve();
      await until(
        async () => home.tryRead('projects/demo/docs/.svc-0123456789abcdef.tmp') === '' || null,
      );
      const runs = await runsOf(second);
      expect(runs.find((run) => run.outcome === 'interrupted')).toMatchObject({
        state: 'ended',
        reason: 'The service stopped during the run.',
      });
      expect(runs.filter((run) => run.state === 'running')).toEqual([]);
      expect(isRunning(pid)).toBe(false);
      expect(home.read('projects/demo/begun.log').trim().split('\n')).toHaveLength(1);
    }));

  it('before the final write: finished work is not repeated, and the run is not reported as succeeded', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', project(NOTE));
      await crashAt(home, 'before the final write');
      const server = await home.serve();
      const runs = await expectOrder(home, server);
      expect(runs.at(-1)).toMatchObject({ outcome: 'interrupted', state: 'ended' });
    }));

  // proves: alerts.once
  it('after the final write: a failure is reported after the restart, once', () =>
    withUnsandboxedHome((home) =>
      withReceiver(async (receiver) => {
        const command = `{ command: sh, args: [-c, "cat >> notified; echo >> notified"] }`;
        const webhook = `{ url: "${receiver.url}", secret: { ref: env:HOOK_SECRET } }`;
        const sinks = `    ops: ${webhook}\n    shell: ${command}\n`;
        home.write('svc.config.yaml', `${WITHOUT_SANDBOX}notify:\n  sinks:\n${sinks}`);
        home.write('projects/demo/project.yaml', project('exit 3', '2s'));
        await crashAt(home, 'after the final write');
        expect(receiver.got).toEqual([]);
        home.write('projects/demo/project.yaml', project('exit 3', '1h'));
        const env = { HOOK_SECRET: WEBHOOK_SECRET };
        for (let life = 0; life < 2; life += 1) {
          const server = await home.serve(env);
          const failed = (await runsOf(server)).filter(({ outcome }) => outcome === 'failed');
          await until(async () => receiver.got.length >= failed.length);
          await until(async () => home.tryRead('notified').split('\n').length > failed.length);
          await server.stop();
          const notified = receiver.got.filter(({ body }) => body.type === 'failed');
          expect(notified.map(({ body }) => body.data['run']).sort()).toEqual(
            failed.map(({ id }) => id).sort(),
          );
        }
      }),
    ));

  it('during a file write: the file is intact, and the next edit works', () =>
    withUnsandboxedHome(async (home) => {
      const before = project(NOTE, '1h');
      home.write('projects/demo/project.yaml', before);
      const crashed = home.node(FAULTY, home.home, 'in the middle of a file write');
      const url = await urlOnceReady(home);
      const record = { trigger: { type: 'schedule', interval: '5m' }, run: { prompt: 'x' } };
      const put = (base: string) =>
        fetch(`${base}/api/projects/demo/triggers/other`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(record),
        });
      await expect(put(url)).rejects.toThrow();
      expect((await crashed).signal).toBe('SIGKILL');
      expect(home.read('projects/demo/project.yaml')).toBe(before);
      const server = await home.serve();
      expect((await put(server.url)).status).toBe(200);
      expect(home.read('projects/demo/project.yaml').startsWith(before.trimEnd())).toBe(true);
      expect(readdirSync(join(home.home, 'projects/demo'))).toEqual(['project.yaml']);
    }));
});
