import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
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
import { beating, beats, countLogged, expectConsistent } from './faults.ts';

jest.setTimeout(90_000);

/** Limits a server to the number of files it has open, or removes the limit. */
function setOpenFiles(server: Running, enough: boolean): void {
  const pid = String(server.process.pid);
  const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let free = 0;
  while (used.has(free)) free += 1;
  execFileSync('prlimit', ['--pid', pid, `--nofile=${enough ? 1024 : free}:`]);
}

const NO_MORE = /too many open files/i;

describe('a service that cannot open more files', () => {
  // proves: faults.descriptors
  it('covers its slots, reports the reason, and continues automatically', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      const server = await home.serve();
      await beats(server);
      setOpenFiles(server, false);
      await until(async () => {
        const said = server.lines.filter(({ reason }) => NO_MORE.test(String(reason)));
        return said.length >= 3;
      });
      home.write('projects/late/project.yaml', beating(home).replace('/begun;', '/begun-late;'));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      setOpenFiles(server, true);
      await beats(server);
      const runs = await expectConsistent(home, server);
      const failed = runs.filter(({ outcome }) => outcome === 'failed');
      expect(failed.filter(({ reason }) => !NO_MORE.test(String(reason)))).toEqual([]);
      // Changes made meanwhile are detected.
      await until(async () => {
        const { body } = await server.get('/api/projects/late/runs');
        return (body as { runs: unknown[] }).runs.length > 0;
      });
      expect(await server.stop()).toBe(0);
    }));

  // proves: faults.descriptors
  it('from its start works with the few it has, or refuses with a clear error', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      await (await home.serve()).stop();
      const server = await home.serveThrough(['prlimit', '--nofile=26']);
      // It may have none left for an incoming connection.
      await until(async () => countLogged(server, 'run ended') > 2);
      await server.stop();
      const again = await home.serve();
      await beats(again);
      await expectConsistent(home, again);
    }));
});

const FLOOD = 'yes AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const LINE = "tr '\\0' x < /dev/zero";
const NOISE = 'cat /dev/urandom';
// It ignores SIGTERM, and its background processes hold its output open.
const STUBBORN = `trap '' TERM; echo $$ >> PIDS; setsid sh -c "trap '' TERM; echo \\$\\$ >> PIDS; exec sleep 600" & while :; do sleep 600; done`;

const COMMANDS = {
  flood: FLOOD,
  line: LINE,
  noise: NOISE,
  complaints: `${NOISE} >&2`,
  stubborn: STUBBORN,
} as const;

const TIMED_OUT = ['timed_out', 'Stopped after reaching its time limit of 4 seconds.'] as const;
const NO_ACP = ['failed', 'The command does not speak the Agent Client Protocol'] as const;

/** The expected outcome for each kind of runtime and program. */
const ENDS: Readonly<Record<string, readonly [outcome: string, reason: string]>> = {
  ...Object.fromEntries(Object.keys(COMMANDS).map((name) => [`bash-${name}`, TIMED_OUT])),
  ...Object.fromEntries(Object.keys(COMMANDS).map((name) => [`text-${name}`, TIMED_OUT])),
  'acp-flood': NO_ACP,
  'acp-line': ['failed', 'The agent sent a message larger than 8 MiB.'],
  'acp-noise': NO_ACP,
  'acp-complaints': TIMED_OUT,
  'acp-stubborn': TIMED_OUT,
};

function writeHome(home: TestHome): void {
  const runtimes: string[] = [];
  const triggers: string[] = [];
  const trigger = (name: string, run: string, when = '{ type: schedule, interval: 12h }'): void => {
    triggers.push(`  ${name}:\n    trigger: ${when}\n    run: ${run}\n    enabled: true\n`);
  };
  for (const [name, command] of Object.entries(COMMANDS)) {
    const program = join(home.home, `${name}.sh`);
    home.write(
      `${name}.sh`,
      `#!/bin/bash\n${command.replaceAll('PIDS', join(home.home, 'pids'))}\n`,
    );
    chmodSync(program, 0o755);
    for (const protocol of ['text', 'acp']) {
      runtimes.push(`    ${protocol}-${name}: { protocol: ${protocol}, command: ${program} }\n`);
      trigger(`${protocol}-${name}`, `{ prompt: Go., timeout: 4s, runtime: ${protocol}-${name} }`);
    }
    trigger(`bash-${name}`, `{ prompt: "\`\`\`bash\\n${program}\\n\`\`\`", timeout: 4s }`);
  }
  const hook = `{ prompt: "\`\`\`bash\\n${join(home.home, 'flood.sh')}\\n\`\`\`", timeout: 4s, tools: [Bash] }`;
  trigger('hook', hook, '{ type: event, on: onArchive }');
  home.write('projects/loud/project.yaml', `triggers:\n${triggers.join('')}`);
  const limits = 'limits: { concurrentTurns: 6, concurrentTurnsPerProject: 5 }\n';
  home.write(
    'svc.config.yaml',
    `${WITHOUT_SANDBOX}${limits}runtime:\n  external:\n${runtimes.join('')}`,
  );
}

function memoryOf(server: Running): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

describe('programs that never end, ignore signals, or write without end', () => {
  // proves: faults.runtimes
  it('are ended in time and reported correctly, without cost for memory or other projects', () =>
    withUnsandboxedHome(async (home) => {
      writeHome(home);
      home.write('projects/demo/project.yaml', beating(home));
      const server = await home.serve();
      await beats(server);
      const before = memoryOf(server);
      const loud = '/api/projects/loud';
      for (const name of Object.keys(ENDS)) {
        const { status, body } = await server.send('POST', `${loud}/triggers/${name}/run`);
        expect([name, status]).toEqual([name, 202]);
        if (name !== 'bash-flood') continue;
        const { sessionId } = body as { sessionId: string };
        expect((await server.send('POST', `${loud}/chats/${sessionId}/archive`)).status).toBe(200);
      }
      const runs = await until(async () => {
        const { body } = await server.get(`${loud}/runs?limit=200`);
        const all = (body as { runs: (Run & { trigger: string })[] }).runs;
        const isOver =
          all.length > Object.keys(ENDS).length && all.every(({ state }) => state === 'ended');
        return isOver && all;
      }, 80);
      const wanted = { ...ENDS, hook: TIMED_OUT };
      const ends = runs.map(({ trigger, outcome, reason }) => {
        const [end, words] = Object.entries(wanted).find(([name]) => name === trigger)?.[1] ?? [];
        return [
          trigger,
          outcome === end && String(reason).includes(words ?? '?')
            ? 'as it should'
            : [outcome, reason],
        ];
      });
      expect(new Map(ends as [string, unknown][])).toEqual(
        new Map(Object.keys(wanted).map((name) => [name, 'as it should'])),
      );
      expect(memoryOf(server) - before).toBeLessThan(300);
      const left = home.read('pids').trim().split('\n').map(Number);
      expect(left.length).toBe(6);
      expect(left.filter(isRunning)).toEqual([]);
      // No other project missed a slot, although a command can take longer than a second beside all these.
      const beat = await expectConsistent(home, server);
      const well = ['succeeded', 'skipped_overlap', null];
      expect(beat.filter(({ outcome }) => !well.includes(outcome))).toEqual([]);
      await beats(server);
      const inDatabase = readFileSync(join(home.home, 'data/svc.db')).length;
      expect(inDatabase).toBeLessThan(30e6);
    }));
});
