import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import { createFakeClock } from '@svc/core/testing';
import {
  inFolder,
  isRunning,
  makeRuntime,
  makeSpec,
  pidIn,
  reaper,
  runScript,
  runTurn,
  script,
  until,
} from './support.ts';

const LIMIT = 256 * 1024;

describe('a text command', () => {
  // proves: external.text
  it('reads instructions and prompt from stdin, and its output is the answer', () =>
    inFolder(async (cwd) => {
      const { end, texts } = await runScript(cwd, 'cat > in.txt; echo An answer.', {
        prompt: 'Say it.\n',
      });
      expect(readFileSync(join(cwd, 'in.txt'), 'utf8')).toBe(
        'You are an agent under test.\n\nSay it.\n',
      );
      expect(texts).toEqual(['An answer.']);
      expect(end).toEqual({
        outcome: 'succeeded',
        reason: null,
        sandbox: 'none',
        network: null,
        turns: 1,
        toolCalls: 0,
        toolErrors: 0,
        denied: [],
        model: null,
        tokensIn: null,
        tokensOut: null,
        costMicrousd: null,
      });
    }));

  it('gets event data marked as data, and never as an argument', () =>
    inFolder(async (cwd) => {
      const data = {
        event: 'onArchive' as const,
        project: 'demo',
        data: { name: '```\n$(touch owned)' },
      };
      const args = ['-c', 'cat; printf "%s" "$*" > args.txt', 'sh', '$(touch owned)', "a ' b"];
      const ran = await runTurn(makeRuntime({ args }), makeSpec(cwd, { data }));
      expect(ran.texts.join('')).toContain('not instructions.\n\n```json data\n');
      expect(ran.texts.join('')).toContain('$(touch owned)');
      expect(readFileSync(join(cwd, 'args.txt'), 'utf8')).toBe("$(touch owned) a ' b");
      expect(existsSync(join(cwd, 'owned'))).toBe(false);
    }));

  // proves: external.environment
  it('gets only the environment of its turn and the configured variables', () =>
    inFolder(async (cwd) => {
      process.env['SVC_SECRET_OF_THE_SERVICE'] = 'secret';
      const env = { TOOL_KEY: 'k-1', SVC_TURN_ID: 'another' };
      const runtime = makeRuntime({ command: '/usr/bin/env', env });
      const spec = makeSpec(cwd);
      const { texts } = await runTurn(runtime, spec);
      expect(
        Object.fromEntries(
          texts
            .join('')
            .split('\n')
            .map((line) => line.split('=')),
        ),
      ).toEqual({
        ...spec.env,
        TOOL_KEY: 'k-1',
      });
      delete process.env['SVC_SECRET_OF_THE_SERVICE'];
    }));

  // proves: external.text
  it.each([
    ['exit 3', 'The command exited with code 3.'],
    [
      'echo first >&2; printf "\\033[31mIt broke.\\033[0m\\n\\n" >&2; exit 4',
      'The command exited with code 4: It broke.',
    ],
    ['kill -9 $$', 'The command was killed by SIGKILL.'],
    ['true', 'The command exited with code 0 but printed no answer.'],
    ['printf " \\n\\033[0m\\n"', 'The command exited with code 0 but printed no answer.'],
    ['echo Try harder. >&2', 'The command exited with code 0 but printed no answer: Try harder.'],
  ])('that runs %j fails with the reason', (commands, reason) =>
    inFolder(async (cwd) => {
      const { end } = await runScript(cwd, commands);
      expect(end).toMatchObject({ outcome: 'failed', reason });
    }),
  );

  it('may print an answer and fail, which keeps the answer', () =>
    inFolder(async (cwd) => {
      const { end, texts } = await runScript(cwd, 'echo Half.; exit 1');
      expect(texts).toEqual(['Half.']);
      expect(end.outcome).toBe('failed');
    }));

  it('may ignore a long input', () =>
    inFolder(async (cwd) => {
      const prompt = 'x'.repeat(1024 * 1024);
      const { end, texts } = await runScript(cwd, 'exec 0<&-; echo Unread.', { prompt });
      expect(texts).toEqual(['Unread.']);
      expect(end.outcome).toBe('succeeded');
    }));

  it('may print endlessly, which is cut and takes no memory', () =>
    inFolder(async (cwd) => {
      const before = process.memoryUsage().rss;
      const { end, texts } = await runScript(cwd, 'yes "A line of it." | head -c 104857600');
      const whole = texts.join('');
      expect(end.outcome).toBe('succeeded');
      expect(whole).toContain(`[Cut: the first ${LIMIT} of 104857600 bytes are shown.]`);
      expect(Buffer.byteLength(whole)).toBeLessThan(LIMIT + 100);
      expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(40_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
    }));

  it('may print any bytes, which are read as plain text', () =>
    inFolder(async (cwd) => {
      const text = String.raw`printf 'a\033[1mb\033[0m\000c\377d 10%%\r20%%\r\nend \342\202\254\n'`;
      const { texts } = await runScript(cwd, text);
      expect(texts.join('')).toBe('20%\nend €');
    }));

  it('has its output split into messages without loss', () =>
    inFolder(async (cwd) => {
      const { texts } = await runScript(cwd, 'seq 1 20000');
      expect(texts.length).toBeGreaterThan(2);
      const numbers = Array.from({ length: 20_000 }, (_, i) => i + 1);
      expect(texts.join('')).toBe(numbers.join('\n'));
    }));

  it('has its complete lines shown while it is running', () =>
    inFolder(async (cwd) => {
      const clock = createFakeClock();
      const args = ['-c', 'echo A line.; printf begun; while [ ! -e go ]; do sleep 0.02; done'];
      const runtime = makeRuntime({ args }, { clock });
      const stop = new AbortController();
      const events = runtime.start(makeSpec(cwd), stop.signal)[Symbol.asyncIterator]();
      const first = events.next();
      let done = false;
      void first.then(() => {
        done = true;
      });
      await until(async () => {
        await clock.advance(1000);
        return done;
      });
      expect((await first).value).toMatchObject({ message: { text: 'A line.' } });
      stop.abort(new TurnStop('cancelled', 'Enough.'));
      const rest = [];
      for (let next = await events.next(); !next.done; next = await events.next()) {
        rest.push(next.value);
      }
      expect(rest.at(-1)).toMatchObject({ end: { outcome: 'cancelled', reason: 'Enough.' } });
    }));

  // proves: external.text.limits
  it('declares which limits it enforces', () => {
    expect(makeRuntime().holds).toEqual({
      tools: [],
      toolAllowList: 'none',
      maxTurns: 'none',
      permissionModes: ['default', 'acceptEdits', 'bypassPermissions'],
      resume: false,
      fork: false,
      svcManage: 'none',
      cost: 'none',
    });
  });

  it('records the configured model, and reports that another was not requested', () =>
    inFolder(async (cwd) => {
      const runtime = makeRuntime({ args: ['-c', 'echo Yes.'], model: 'm-1' });
      const { end, notices } = await runTurn(runtime, makeSpec(cwd, { model: 'm-2' }));
      expect(end.model).toBe('m-1');
      expect(notices).toEqual([
        'The tool runtime chooses its own model, so m-2 was not requested.',
      ]);
      expect((await runTurn(runtime, makeSpec(cwd, { model: 'm-1' }))).notices).toEqual([]);
    }));
});

// proves: external.unstartable
describe('a command that cannot be started', () => {
  it.each([
    ['no-such-command-4b1d', /^The command no-such-command-4b1d is not on the PATH of agents \(/],
    [
      '/no/such/file',
      'The command /no/such/file does not exist. Install it, or give another path.',
    ],
    [
      'bin/tool',
      'The command bin/tool is neither a name nor an absolute path. Give its absolute path.',
    ],
    ['/usr', 'The command /usr is not a file. Give the path of a program.'],
  ])('like %s fails its turns and is not ready', (command, reason) =>
    inFolder(async (cwd) => {
      const runtime = makeRuntime({ command });
      expect(await runtime.probe()).toEqual({
        ready: false,
        reason: expect.stringMatching(reason),
      });
      const { end } = await runTurn(runtime, makeSpec(cwd));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(reason),
        turns: 0,
      });
    }),
  );

  it('because it is not executable reports the chmod command', () =>
    inFolder(async (cwd) => {
      const file = await script(join(cwd, 'tool'), '#!/bin/sh\necho Hello.\n');
      const runtime = makeRuntime({ command: file });
      expect(await runtime.probe()).toEqual({ ready: true });
      expect((await runTurn(runtime, makeSpec(cwd))).texts).toEqual(['Hello.']);
      chmodSync(file, 0o644);
      expect(await runtime.probe()).toEqual({
        ready: false,
        reason: `The command ${file} is not executable. Run chmod +x ${file}.`,
      });
    }));

  it('because its interpreter is missing reports that', () =>
    inFolder(async (cwd) => {
      const command = await script(join(cwd, 'lost'), '#!/no/such/interpreter\n');
      const { end } = await runTurn(makeRuntime({ command }), makeSpec(cwd));
      const why = 'the interpreter in its first line does not exist';
      expect(end.reason).toBe(`The command ${command} could not be started: ${why}.`);
    }));

  it('because the project folder is missing reports that', () =>
    inFolder(async (cwd) => {
      const missing = join(cwd, 'project');
      mkdirSync(missing);
      rmSync(missing, { recursive: true });
      const { end } = await runScript(missing, 'echo Hello.');
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'The project folder does not exist.',
      });
    }));

  it('because a required variable is not set names that variable', () =>
    inFolder(async (cwd) => {
      const runtime = makeRuntime({ env: { TOOL_KEY: null, OTHER: 'x' } });
      const reason =
        'The tool runtime needs TOOL_KEY in the environment of svc. Set it and restart svc.';
      expect(await runtime.probe()).toEqual({ ready: false, reason });
      expect((await runTurn(runtime, makeSpec(cwd))).end.reason).toBe(reason);
    }));

  it('because the turn was stopped before is not started', () =>
    inFolder(async (cwd) => {
      const stop = AbortSignal.abort(new TurnStop('interrupted', 'The service stops.'));
      const runtime = makeRuntime({ args: ['-c', 'touch started'] });
      const { end } = await runTurn(runtime, makeSpec(cwd), stop);
      expect(end).toMatchObject({ outcome: 'interrupted', reason: 'The service stops.' });
      expect(existsSync(join(cwd, 'started'))).toBe(false);
    }));
});

describe('a command with a user', () => {
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? 65534 : (process.getuid?.() ?? 0);
  const switching = ['/usr/bin/setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const [program, ...rest] = isRoot ? [...switching, '--'] : ['/usr/bin/env'];
  const prefix = [program ?? '', ...rest] as const;
  const user = { name: 'other', uid, gid: uid, home: '/', prefix, fileHelper: '' };

  it('runs as that user in the project folder, with unchanged arguments', () =>
    inFolder(async (cwd) => {
      chmodSync(cwd, 0o777);
      const args = ['-c', 'id -u; pwd; printf "%s|" "$@"', 'sh', "a ' b", '$(id)', '', '-x'];
      const { texts, end } = await runTurn(makeRuntime({ args, user }), makeSpec(cwd));
      expect(texts.join('').split('\n')).toEqual([String(uid), cwd, "a ' b|$(id)||-x|"]);
      expect(end.outcome).toBe('succeeded');
    }));

  it('reports that the user may not enter the folder', () =>
    inFolder(async (cwd) => {
      chmodSync(cwd, 0o000);
      const { end } = await runTurn(makeRuntime({ args: ['-c', 'pwd'], user }), makeSpec(cwd));
      expect(end.reason).toMatch(
        /^The command exited with code 126: The user other \(agents\.user\) cannot enter/,
      );
      chmodSync(cwd, 0o700);
    }));
});

describe('a process that a text command leaves behind', () => {
  const DAEMON = "setsid sh -c 'echo $$ > daemon; exec sleep 300' > /dev/null 2>&1 & ";
  const HOLDER = "sh -c 'echo $$ > holder; exec sleep 300' & ";

  // proves: external.orphans
  it('is killed, even in its own session and with open output', () =>
    inFolder(async (cwd) => {
      const wait = 'while [ ! -s daemon ] || [ ! -s holder ]; do sleep 0.02; done; echo Done.';
      const { end, texts } = await runScript(cwd, `${DAEMON}${HOLDER}${wait}`);
      expect(texts).toEqual(['Done.']);
      expect(end.outcome).toBe('succeeded');
      for (const name of ['daemon', 'holder']) {
        expect(isRunning(pidIn(join(cwd, name)))).toBe(false);
      }
    }));

  // proves: runtimes.marked
  it('is killed, even without its variable, session and parent', () =>
    inFolder(async (cwd) => {
      const quiet = '> /dev/null 2>&1 &';
      const shed = `env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 300 ${quiet} echo $! > shed'`;
      const { texts } = await runScript(cwd, `${shed}; echo Done.`);
      expect(texts).toEqual(['Done.']);
      const pid = pidIn(join(cwd, 'shed'));
      expect(pid).toBeGreaterThan(0);
      expect(isRunning(pid)).toBe(false);
    }));

  // proves: external.orphans
  it('is killed when the turn is stopped, even if it ignores SIGTERM', () =>
    inFolder(async (cwd) => {
      const stop = new AbortController();
      const ignoring = `trap '' TERM; echo $$ > leader; ${DAEMON}while true; do sleep 0.1; done`;
      const runtime = makeRuntime({ args: ['-c', ignoring] });
      const turn = runTurn(runtime, makeSpec(cwd), stop.signal);
      await until(() => pidIn(join(cwd, 'leader')) > 0 && pidIn(join(cwd, 'daemon')) > 0);
      stop.abort(new TurnStop('timed_out', 'It took too long.'));
      expect((await turn).end).toMatchObject({ outcome: 'timed_out', reason: 'It took too long.' });
      for (const name of ['leader', 'daemon']) {
        expect(isRunning(pidIn(join(cwd, name)))).toBe(false);
      }
    }));

  it('is killed when the consumer stops reading the turn', () =>
    inFolder(async (cwd) => {
      const args = ['-c', 'echo $$ > leader; seq 1 9000; exec sleep 300'];
      for await (const _ of makeRuntime({ args }).start(makeSpec(cwd), AbortSignal.any([]))) break;
      expect(isRunning(pidIn(join(cwd, 'leader')))).toBe(false);
    }));

  it('has the id of its turn in its environment', () =>
    inFolder(async (cwd) => {
      const spec = makeSpec(cwd);
      const wait = 'while [ ! -s daemon ]; do sleep 0.02; done; exec sleep 300';
      const turn = runTurn(makeRuntime({ args: ['-c', `${DAEMON}${wait}`] }), spec);
      await until(() => pidIn(join(cwd, 'daemon')) > 0);
      const environ = (): string =>
        readFileSync(`/proc/${pidIn(join(cwd, 'daemon'))}/environ`, 'utf8');
      // The environment reads as empty during execve.
      await until(() => environ() !== '');
      expect(environ().split('\0')).toContain(`SVC_TURN_ID=${spec.turnId}`);
      expect((await reaper.endTurns([spec.turnId])).ended).toBeGreaterThanOrEqual(2);
      expect((await turn).end).toMatchObject({ outcome: 'failed' });
    }));
});
