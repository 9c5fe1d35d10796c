import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import {
  bash,
  call,
  clock,
  inFolder,
  isRunning,
  makeRuntime,
  makeSpec,
  play,
  runTurn,
  scripted,
  step,
  until,
} from './support.ts';

async function pidIn(file: string): Promise<number> {
  await until(() =>
    readFile(file, 'utf8').then(
      (text) => /^\d+\n$/.test(text),
      () => false,
    ),
  );
  return Number(await readFile(file, 'utf8'));
}

describe('Bash', () => {
  it.each([undefined, { event: 'onArchive' as const, project: 'demo', data: {} }])(
    'runs in the project folder with exactly the environment it is given, event: %j',
    async (data) => {
      await inFolder(async (folder) => {
        const spec = makeSpec(folder, {
          data,
          prompt: bash('pwd; cat /proc/self/environ | tr "\\0" "\\n"'),
        });
        const { results } = await runTurn(makeRuntime(), spec);
        const [cwd, ...variables] = (results[0] ?? '').trim().split('\n');
        expect(cwd).toBe(folder);
        // What bash itself adds.
        const own = /^(?:PWD|SHLVL|_|OLDPWD)=/;
        expect(variables.filter((line) => !own.test(line)).sort()).toEqual(
          Object.entries({
            ...spec.env,
            ...(data === undefined
              ? {}
              : { SVC_EVENT_JSON: JSON.stringify({ event: 'onArchive', project: 'demo' }) }),
          })
            .map(([name, value]) => `${name}=${value}`)
            .sort(),
        );
      });
    },
  );

  // proves: tools.bash.plain
  it('returns output as a terminal would show it, without escape sequences', async () => {
    await inFolder(async (folder) => {
      const progress = "printf '\\r%3d%%' 10 50 100; printf '\\n\\033[31mred\\033[0m\\r\\n'";
      const { results, end } = await play(
        folder,
        `${bash(progress)}${bash(`${progress}; exit 3`)}`,
      );
      expect(results).toEqual(['100%\nred\n', 'exit code 3\n100%\nred\n']);
      expect(end).toMatchObject({
        reason: 'Step 2 (Bash) failed: exit code 3: red',
        toolErrors: 1,
      });
    });
  });

  it('keeps the order of output and error output', async () => {
    await inFolder(async (folder) => {
      const { results } = await play(
        folder,
        bash('for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done'),
      );
      expect(results[0]).toBe('o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\n');
    });
  });

  it('is bash with empty standard input', async () => {
    await inFolder(async (folder) => {
      const { results } = await play(folder, bash('[[ y == [xy] ]] && echo y; cat; echo end'));
      expect(results[0]).toBe('y\nend\n');
    });
  });

  it.each([
    ['exit 7', 'exit code 7', 'Step 1 (Bash) failed: exit code 7'],
    ['echo oh; exit 1', 'exit code 1\noh\n', 'Step 1 (Bash) failed: exit code 1: oh'],
    ['kill -9 $$', 'terminated by SIGKILL', 'Step 1 (Bash) failed: terminated by SIGKILL'],
  ])('fails on %s', async (command, text, reason) => {
    await inFolder(async (folder) => {
      const { end, results } = await play(folder, bash(command));
      expect(results).toEqual([text]);
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('names a syntax error', async () => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, bash('if'));
      expect(end.reason).toMatch(/failed: exit code 2: .*syntax error/);
    });
  });

  it('says how to run a command that is too long', async () => {
    await inFolder(async (folder) => {
      const { results } = await play(folder, bash(`: ${'x'.repeat(140_000)}`));
      expect(results[0]).toMatch(/exceeds the system limit \(128 KiB\)\. Use a file\.$/);
    });
  });

  it('keeps the beginning and the end of a large output', async () => {
    await inFolder(async (folder) => {
      const { results } = await play(
        folder,
        bash('echo first; head -c 30000000 /dev/zero | tr "\\0" x; echo; echo last'),
      );
      const text = results[0] ?? '';
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * 1024);
      expect(text.startsWith('first\nxxx')).toBe(true);
      expect(text.endsWith('xxx\nlast\n')).toBe(true);
      expect(text).toMatch(/\n\[Cut: \d+ of 30000012 bytes are left out here\.\]\n/);
    });
  });

  it('cuts a large output between characters', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'many'), `x${'€'.repeat(200_000)}`);
      const { results } = await play(folder, bash('cat many'));
      expect(results[0]).not.toContain('\uFFFD');
    });
  });

  it('ends a command and its child processes after its timeout, and continues', async () => {
    await inFolder(async (folder) => {
      const slow = { command: 'echo begun; setsid sleep 31 & echo $! > pid; wait', timeout: 300 };
      const look = { command: 'grep -q sleep /proc/$(cat pid)/cmdline && echo there || echo gone' };
      const steps = [slow, look].map((input) => ({ text: null, calls: [call('Bash', input)] }));
      const model = scripted([...steps, { text: 'Done.', calls: [] }]);
      const from = clock.mono();
      const { results } = await runTurn(makeRuntime({ model }), makeSpec(folder));
      expect(results[0]).toBe('timed out after 300 ms\nbegun\n');
      expect(results[1]).toMatch(/gone\n$/);
      expect(clock.mono() - from).toBeLessThan(20_000);
      const { end } = await play(folder, step('Bash', { ...slow, timeout: 100 }));
      expect(end.reason).toBe('Step 1 (Bash) failed: timed out after 100 ms: begun');
    });
  });

  it('does not wait for a background process, lets it live until the turn ends, and then ends it', async () => {
    await inFolder(async (folder) => {
      const from = clock.mono();
      const { end, results } = await play(
        folder,
        bash('(while sleep 0.05; do echo alive; echo x >> beats; done) & echo $! > pid; echo off') +
          bash('sleep 0.5; wc -l < beats'),
      );
      expect(end.outcome).toBe('succeeded');
      expect(results[0]).toMatch(/^off\n/);
      expect(Number(results[1])).toBeGreaterThan(3);
      expect(isRunning(await pidIn(join(folder, 'pid')))).toBe(false);
      expect(clock.mono() - from).toBeLessThan(20_000);
    });
  });
});

describe('a turn that is stopped during Bash', () => {
  const stopAfter = async (
    folder: string,
    command: string,
    when: () => Promise<unknown>,
  ): Promise<{ outcome: string; took: number; text: string }> => {
    const stop = new AbortController();
    const turn = runTurn(
      makeRuntime(),
      makeSpec(folder, { prompt: bash(command) + bash('touch never') }),
      stop.signal,
    );
    await when();
    const from = clock.mono();
    stop.abort(new TurnStop('timed_out', 'The turn took longer than 1m.'));
    const { end, results } = await turn;
    expect(end.reason).toBe('The turn took longer than 1m.');
    return { outcome: end.outcome, took: clock.mono() - from, text: results[0] ?? '' };
  };

  it('ends the command and daemons in their own sessions', async () => {
    await inFolder(async (folder) => {
      const pids = ['daemon', 'child', 'shell'].map((name) => join(folder, name));
      const { outcome, took, text } = await stopAfter(
        folder,
        `(setsid bash -c 'echo $$ > daemon; exec sleep 32' &) ; sleep 32 & echo $! > child; echo $$ > shell; echo here; wait`,
        () => Promise.all(pids.map(pidIn)),
      );
      expect(outcome).toBe('timed_out');
      expect(text).toBe('stopped because the turn ended\nhere\n');
      for (const file of pids) expect(isRunning(await pidIn(file))).toBe(false);
      expect(took).toBeLessThan(20_000);
      await expect(readFile(join(folder, 'never'))).rejects.toThrow();
    });
  });

  it('ends background processes of earlier commands while no command runs', async () => {
    await inFolder(async (folder) => {
      const files = ['daemon', 'child'].map((name) => join(folder, name));
      const running = async () => (await Promise.all(files.map(pidIn))).map(isRunning);
      const command =
        "(setsid bash -c 'echo $$ > daemon; env -i sleep 34 & echo $! > child; wait' &); while ! [ -s child ]; do sleep 0.01; done";
      const model = scripted([{ text: null, calls: [call('Bash', { command })] }, null]);
      const stop = new AbortController();
      const turn = makeRuntime({ model }).start(makeSpec(folder), stop.signal);
      const events = turn[Symbol.asyncIterator]();
      const toolResult = async () => JSON.stringify(await events.next()).includes('tool_result');
      await until(toolResult);
      expect(await running()).toEqual([true, true]);
      stop.abort(new TurnStop('interrupted', 'The service stops at once.'));
      expect((await events.next()).value).toMatchObject({ end: { outcome: 'interrupted' } });
      expect(await running()).toEqual([false, false]);
    });
  });

  it('kills a process that ignores SIGTERM after a second', async () => {
    await inFolder(async (folder) => {
      const { took } = await stopAfter(
        folder,
        'trap "" TERM; echo $$ > pid; while true; do sleep 0.1; done',
        () => pidIn(join(folder, 'pid')),
      );
      expect(isRunning(await pidIn(join(folder, 'pid')))).toBe(false);
      expect(took).toBeGreaterThan(900);
      expect(took).toBeLessThan(20_000);
    });
  });

  it('lets a command clean up within that second', async () => {
    await inFolder(async (folder) => {
      await stopAfter(
        folder,
        'trap "echo tidy > tidied; exit" TERM; echo $$ > pid; while true; do sleep 0.05; done',
        () => pidIn(join(folder, 'pid')),
      );
      expect(await readFile(join(folder, 'tidied'), 'utf8')).toBe('tidy\n');
    });
  });

  it('also ends a process that cleared its environment but stayed in its group', async () => {
    await inFolder(async (folder) => {
      await stopAfter(folder, 'env -i /bin/sleep 33 & echo $! > pid; disown; exec sleep 33', () =>
        pidIn(join(folder, 'pid')),
      );
      expect(isRunning(await pidIn(join(folder, 'pid')))).toBe(false);
    });
  });
});
