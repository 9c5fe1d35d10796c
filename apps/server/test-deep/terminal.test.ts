import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import type { Chat, Message, Run } from '@svc/records';
import { isRunning, type TestHome, withUnsandboxedHome } from '../test/harness.ts';
import { svc } from '../test/in-process.ts';

jest.setTimeout(120_000);

const ROOT = new URL('../../../', import.meta.url).pathname;
const CTRL_C = '\x03';
const WAITING = 'Waiting for 1 turn (up to 20 s). Press Ctrl-C again to stop at once.';

/** `npm start` in a terminal. */
interface Session {
  readonly url: string;
  readonly screen: () => string;
  readonly process: ChildProcess;
  press(keys: string): void;
  /** Resolves when `npm start` has ended; its exit code is that of npm. */
  ended(): Promise<void>;
}

// Building and testing at the same time is slow.
async function until<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let n = 0; n < 1200; n += 1) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`timed out after 60 s waiting for ${look}`);
}

function projectWith(script: string): string {
  const prompt = `\`\`\`bash\n${script}\n\`\`\`\n`.replace(/^/gm, '        ');
  return `triggers:\n  it:\n    trigger: { type: schedule, interval: 1h }\n    run:\n      prompt: |\n${prompt}\n    enabled: false\n`;
}

async function withSession(
  script: string,
  test: (session: Session, home: TestHome) => Promise<void>,
): Promise<void> {
  await withUnsandboxedHome(async (home) => {
    home.write('projects/demo/project.yaml', projectWith(script));
    const session = await start(home);
    try {
      await test(session, home);
    } finally {
      if (session.process.exitCode === null) session.process.kill('SIGKILL');
    }
  });
}

async function start({ home }: TestHome): Promise<Session> {
  const { PATH = '', HOME = home } = process.env;
  const env = { PATH, HOME, TERM: 'xterm', SVC_HOME: home, SVC_PORT: '0' };
  const child = spawn('script', ['-qefc', 'npm start', '/dev/null'], { cwd: ROOT, env });
  let screen = '';
  child.stdout.on('data', (chunk) => (screen += chunk));
  child.stderr.on('data', (chunk) => (screen += chunk));
  const exit = once(child, 'close').then(() => {});
  const url = await until(async () => {
    if (child.exitCode !== null) throw new Error(`exit ${child.exitCode}: ${screen}`);
    return /svc is running at (http:\S+\d)/.exec(screen)?.[1];
  });
  const press = (keys: string): void => void child.stdin.write(keys);
  return { url, screen: () => screen, process: child, press, ended: () => exit };
}

async function fire(session: { readonly url: string }): Promise<string> {
  const path = `${session.url}/api/projects/demo/triggers/it/run`;
  const response = await fetch(path, { method: 'POST' });
  return ((await response.json()) as { runId: string }).runId;
}

async function runOf(session: Session, id: string): Promise<Run> {
  const response = await fetch(`${session.url}/api/projects/demo/runs/${id}`);
  return (await response.json()) as Run;
}

const pidIn = (home: TestHome): Promise<number> =>
  until(async () => {
    const text = await readFile(join(home.home, 'projects/demo/pid'), 'utf8').catch(() => '');
    return text.endsWith('\n') && Number(text);
  });

describe('Ctrl-C in the terminal of npm start', () => {
  it('waits for the running turn, reports it, and ends with exit code 0', () =>
    withSession(
      'echo $$ > pid; while [ ! -e go ]; do sleep 0.1; done; echo done > done.txt',
      async (session, home) => {
        await fire(session);
        const pid = await pidIn(home);
        session.press(CTRL_C);
        await until(async () => session.screen().includes(WAITING));
        expect(isRunning(pid)).toBe(true);
        home.write('projects/demo/go', '');
        await session.ended();
        expect(home.read('projects/demo/done.txt')).toBe('done\n');
        expect(existsSync(join(home.home, 'data/instance.json'))).toBe(false);
        expect(isRunning(pid)).toBe(false);
        expect(session.screen()).toContain('stopped');
      },
    ));

  it('pressed again ends the turn with its processes and stores that it was interrupted', () =>
    withSession('setsid sleep 300 & echo $! > pid; sleep 300', async (session, home) => {
      const id = await fire(session);
      const pid = await pidIn(home);
      session.press(CTRL_C);
      await until(async () => session.screen().includes(WAITING));
      // Within a second it would count as the same request.
      await new Promise((resolve) => setTimeout(resolve, 1200));
      session.press(CTRL_C);
      await session.ended();
      await until(async () => !isRunning(pid));
      expect(existsSync(join(home.home, 'data/instance.json'))).toBe(false);
      const later = await home.serve();
      const run = (await later.get(`/api/projects/demo/runs/${id}`)).body as Run;
      expect([run.outcome, run.reason]).toEqual([
        'interrupted',
        'The service was shut down during the run.',
      ]);
      const chat = await later.get(`/api/projects/demo/chats/${run.sessionId}`);
      const { messages } = chat.body as Chat & { messages: Message[] };
      expect(messages.at(-1)?.text).toContain('This turn was interrupted: ');
    }));

  it('ends at once without a message about waiting when no turn runs', () =>
    withSession('true', async (session) => {
      const id = await fire(session);
      await until(async () => (await runOf(session, id)).outcome === 'succeeded');
      session.press(CTRL_C);
      await session.ended();
      expect(session.screen()).toContain('stopped');
      expect(session.screen()).not.toContain('Waiting for');
      expect(stripVTControlCharacters(session.screen())).toMatch(
        /^\[\d\d:\d\d:\d\d\] INFO: listening/m,
      );
    }));

  it('ends with exit code 1 when it did not wait', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', projectWith('echo $$ > pid; sleep 300'));
      const server = await home.serve();
      await fire(server);
      await pidIn(home);
      server.process.kill('SIGTERM');
      await until(async () => server.stderr().includes(WAITING));
      await new Promise((resolve) => setTimeout(resolve, 1200));
      expect(await server.stop('SIGINT')).toBe(1);
    }));
});

describe('svc simulate', () => {
  it('shows the progress of a long simulation in a terminal', () =>
    withUnsandboxedHome(async (home) => {
      const text = `triggers:\n  it: { trigger: { type: schedule, interval: 1s }, run: { prompt: x }, enabled: true }\n`;
      home.write('projects/demo/project.yaml', text);
      const given = ['simulate', 'demo', '--days', '6', '--home', home.home];
      const from = ['--from', '2026-03-01T00:00'];
      const { error } = await svc([...given, ...from], { columns: 80 });
      const [wait, ...tenths] = error.trim().split('\n');
      expect(wait).toBe('Simulating about 518,400 fires. This takes a while.');
      expect(tenths.map((line) => line.replace(/, up to .*/, ''))).toEqual(
        [10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => `Simulated: ${percent} %`),
      );
      expect(tenths[4]).toBe('Simulated: 50 %, up to 2026-03-04 00:00:00');
    }));
});
