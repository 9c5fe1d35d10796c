import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import { createFakeClock } from '@svc/core/testing';
import {
  agent,
  inFolder,
  isRunning,
  makeRuntime,
  makeSpec,
  pidIn,
  runAgent,
  runTurn,
  steps,
  until,
} from './support.ts';

const MIB = 1024 * 1024;

const NO_TEXT = { type: 'content', content: { type: { toString: 1 } } };

function updateLine(update: object): string {
  const params = { sessionId: 's-1', update };
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`;
}

// proves: external.acp.faults
describe('a faulty agent', () => {
  it('may write lines that are not messages, which are ignored', () =>
    inFolder(async (cwd) => {
      const list = [
        {
          raw: 'a word\n{"half": \n[1,2]\n"x"\nnull\n{}\n\n{"jsonrpc":"2.0","id":99,"result":{}}\n',
        },
        { raw: '{"jsonrpc":"2.0","method":"session/upd' },
        { raw: 'ate","params":{"sessionId":"s-1","update":7}}\n' },
        { raw: '{"jsonrpc":"2.0","method":"from/the/future","params":[]}\n' },
        { raw: '\ufeff{"jsonrpc":"2.0","id":"x","method":"ping"}\n' },
        { say: 'Done.' },
      ];
      const { end, texts } = await runAgent(cwd, list, {}, { banner: 'Welcome!\n' });
      expect(texts).toEqual(['Done.']);
      expect(end.outcome).toBe('succeeded');
    }));

  it.each([
    [{ exit: 3 }, 'The agent exited with code 3 before the turn ended.'],
    [{ exit: 0 }, 'The agent exited with code 0 before the turn ended.'],
    [{ kill: 'SIGKILL' }, 'The agent was killed by SIGKILL before the turn ended.'],
  ])('may exit during a turn by %j, which keeps its messages', (step, reason) =>
    inFolder(async (cwd) => {
      const list = [{ say: 'Half.' }, { raw: '{"jsonrpc":"2.0","id":3,"result":{"stopRea' }, step];
      const { end, texts } = await runAgent(cwd, list);
      expect(texts).toEqual(['Half.']);
      expect(end).toMatchObject({ outcome: 'failed', reason });
    }),
  );

  it('may crash as a Node program, whose error is the reason', () =>
    inFolder(async (cwd) => {
      const trace =
        'file:///x.js:1\n  f()\n  ^\n\nTypeError: f is no function\n    at x.js:1\n\nNode.js v20.1.0\n';
      const { end } = await runAgent(cwd, [{ stderr: trace }, { exit: 1 }]);
      expect(end.reason).toMatch(/: TypeError: f is no function$/);
    }));

  it('may exit with error output, which is the reason', () =>
    inFolder(async (cwd) => {
      const list = [{ stderr: 'at x.js:1\n\u001b[31mOut of memory\u001b[0m\n' }, { exit: 134 }];
      expect((await runAgent(cwd, list)).end.reason).toBe(
        'The agent exited with code 134 before the turn ended: Out of memory',
      );
    }));

  it.each([
    ['a kind that is a property of every object', { toolCallId: '1', kind: 'constructor' }],
    ['an id that is not a string', { toolCallId: { toString: 1 }, kind: 'read' }],
    ['a content block whose type is not a string', { toolCallId: '1', content: [NO_TEXT] }],
  ])('may report a call with %s, which breaks nothing', (_case, call) =>
    inFolder(async (cwd) => {
      const update = { sessionUpdate: 'tool_call', title: 'x', status: 'completed', ...call };
      const { end } = await runAgent(cwd, [{ raw: updateLine(update) }, { say: 'Done.' }]);
      expect(end).toMatchObject({ outcome: 'succeeded', toolCalls: 1 });
    }),
  );

  it.each([
    [
      'in the input of a call',
      (deep: string) =>
        updateLine({ sessionUpdate: 'tool_call', toolCallId: 't', rawInput: 'DEEP' }).replace(
          '"DEEP"',
          deep,
        ),
    ],
    ['in its id', (deep: string) => `{"jsonrpc":"2.0","method":"x","id":${deep}}\n`],
  ])('may nest a message very deeply %s, which ends only the turn', (_case, line) =>
    inFolder(async (cwd) => {
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const { end } = await runAgent(cwd, [{ raw: line(deep) }, { say: 'Done.' }]);
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'The agent sent a message that is nested deeper than 64 levels.',
      });
    }),
  );

  it('may be a program that is not an agent, whose output is the reason', () =>
    inFolder(async (cwd) => {
      const args = ['-c', 'echo "usage: tool [--help]"; exit 2'];
      const { end } = await runTurn(makeRuntime({ protocol: 'acp', args }), makeSpec(cwd));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'The agent exited with code 2 before the turn ended: usage: tool [--help]',
      });
    }));

  it('may be a program that prints endlessly', () =>
    inFolder(async (cwd) => {
      const runtime = makeRuntime({ protocol: 'acp', args: ['-c', 'yes hello'] });
      expect((await runTurn(runtime, makeSpec(cwd))).end).toMatchObject({
        outcome: 'failed',
        reason: 'The command does not speak the Agent Client Protocol. It wrote: hello',
      });
    }));

  it('may write an endless line, which takes no memory', () =>
    inFolder(async (cwd) => {
      const before = process.memoryUsage().rss;
      const runtime = makeRuntime({ protocol: 'acp', args: ['-c', 'head -c 200000000 /dev/zero'] });
      expect((await runTurn(runtime, makeSpec(cwd))).end).toMatchObject({
        outcome: 'failed',
        reason: 'The agent sent a message larger than 8 MiB.',
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
    }));

  it('may write a very long answer, which is cut', () =>
    inFolder(async (cwd) => {
      const params = {
        sessionId: 's-1',
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'x'.repeat(10_000) },
        },
      };
      const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`;
      const before = process.memoryUsage().rss;
      const { texts, end } = await runAgent(cwd, [{ flood: { text: line, times: 5000 } }]);
      const whole = texts.join('');
      expect(whole.length).toBeLessThan(MIB + 1000);
      expect(whole).toContain('[Cut: the answer is longer than 1 MiB.]');
      expect(end.outcome).toBe('succeeded');
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
    }));

  it('may report large results and arguments, which are cut', () =>
    inFolder(async (cwd) => {
      const large = 'y'.repeat(MIB);
      const content = [{ type: 'content', content: { type: 'text', text: large } }];
      const update = { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'x', kind: 'execute' };
      const rawInput = { command: large };
      const list = [{ update: { ...update, status: 'completed', rawInput, content } }];
      const { messages } = await runAgent(cwd, list);
      for (const message of messages) {
        expect(JSON.stringify(message).length).toBeLessThan(257 * 1024);
        expect(JSON.stringify(message)).toContain('[Cut: the first 262');
      }
      expect(messages).toHaveLength(2);
    }));

  it('is paused while its events are not consumed, and no event is lost', () =>
    inFolder(async (cwd) => {
      // More events than the queue holds, but no more bytes than the pipe holds.
      const calls = Array.from({ length: 250 }, (_, i) => ({
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: `c${i}`,
          title: 'x',
          status: 'completed',
        },
      }));
      const spec = makeSpec(cwd, {
        prompt: steps(...calls, { write: { file: join(cwd, 'finished'), text: 'x' } }, { exit: 5 }),
        limits: { maxTurns: 1000 },
      });
      const events = [];
      for await (const event of makeRuntime(agent()).start(spec, AbortSignal.any([]))) {
        if (events.length === 3) await until(() => pidIn(join(cwd, 'finished')) !== 0);
        events.push(event);
      }
      expect(events.at(-1)).toMatchObject({
        end: { toolCalls: 250, reason: expect.stringContaining('code 5') },
      });
    }));

  it.each(['initialize', 'session/new'])('may never respond to %s', (silent) =>
    inFolder(async (cwd) => {
      const clock = createFakeClock();
      const seen = join(cwd, 'seen');
      const options = agent({ silent, seen, banner: 'Loading…\n' });
      const turn = runTurn(makeRuntime(options, { clock }), makeSpec(cwd));
      await until(() => readOr(seen).includes(silent));
      await clock.advance(120_000);
      let done = false;
      void turn.then(() => {
        done = true;
      });
      await until(async () => {
        await clock.advance(100);
        return done;
      });
      expect((await turn).end).toMatchObject({
        outcome: 'failed',
        reason: 'The agent did not open a session within 120 s: Loading…',
      });
    }),
  );

  it('may never finish, and is killed when the turn times out', () =>
    inFolder(async (cwd) => {
      const pid = join(cwd, 'pid');
      const prompt = steps({ start: `echo $$ > ${pid}; exec sleep 300` }, { hang: true });
      const stop = new AbortController();
      const turn = runTurn(
        makeRuntime(agent({ ignoresSigterm: true })),
        makeSpec(cwd, { prompt }),
        stop.signal,
      );
      await until(() => pidIn(pid) > 0);
      stop.abort(new TurnStop('timed_out', 'It took too long.'));
      expect((await turn).end).toMatchObject({ outcome: 'timed_out', reason: 'It took too long.' });
      expect(isRunning(pidIn(pid))).toBe(false);
    }));

  // proves: external.orphans
  it('is killed with its child processes if it keeps running after the turn', () =>
    inFolder(async (cwd) => {
      const [child, own] = [join(cwd, 'child'), join(cwd, 'own')];
      const list = [
        { start: `setsid sh -c 'echo $$ > ${child}; exec sleep 300'` },
        { start: `echo $PPID > ${own}` },
        { say: 'Done.' },
      ];
      const prompt = steps(...list);
      const spec = makeSpec(cwd, { prompt });
      const { end } = await runTurn(makeRuntime(agent({ keepsRunning: true })), spec);
      expect(end.outcome).toBe('succeeded');
      for (const file of [child, own]) expect(isRunning(pidIn(file))).toBe(false);
    }));

  it('is killed when the consumer stops reading the turn', () =>
    inFolder(async (cwd) => {
      const pid = join(cwd, 'pid');
      const prompt = steps({ start: `echo $PPID > ${pid}; exec sleep 300` }, { hang: true });
      for await (const event of makeRuntime(agent()).start(
        makeSpec(cwd, { prompt }),
        AbortSignal.any([]),
      )) {
        if (event.type !== 'session') continue;
        await until(() => pidIn(pid) > 0);
        break;
      }
      expect(isRunning(pidIn(pid))).toBe(false);
    }));
});

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
