import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { type ScriptedModel, startScriptedModel } from '@svc/runtime-claude/testing';
import { fire, runsOf, transcript, writeProject, writeSettings } from '../test/agents.ts';
import { isRunning, type TestHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(300_000);

const KEY = 'sk-ant-very-secret-0123456789';
const INSTALLER = fileURLToPath(new URL('install-foreign.mjs', import.meta.url));
const NAME = 'claude-agent-sdk';

async function withClaude(
  test: (home: TestHome, model: ScriptedModel) => Promise<void>,
): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [INSTALLER, NAME]);
  const model = await startScriptedModel();
  try {
    await withHome(async (home) => {
      const place = join(home.home, 'runtimes/claude/sdk');
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(JSON.parse(stdout)[NAME], place);
      const claude = { model: 'sonnet', baseUrl: model.url, apiKey: { ref: 'env:CLAUDE_KEY' } };
      // The processes and their environment are observed from outside.
      const agents = { sandbox: { mode: 'off' } };
      writeSettings(home, { agents, runtime: { default: 'claude', claude } });
      await test(home, model);
    });
  } finally {
    await model.close();
  }
}

describe('a server with agents of the Claude Agent SDK', () => {
  // proves: runtimes.claude, runtimes.secrets
  it('gives a trigger the listed tools only, and never shows the key', () =>
    withClaude(async (home, model) => {
      const limited = { prompt: 'Write a note.', tools: ['Read', 'Write'] };
      const command = `tr '\\0' '\\n' < /proc/$PPID/environ; env; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep CLAUDE_KEY`;
      writeProject(home, {
        work: limited,
        beyond: limited,
        prints: { prompt: 'Look.', tools: ['Bash'] },
      });
      const server = await home.serve({ CLAUDE_KEY: KEY });
      const file_path = join(home.home, 'projects/demo/note.md');
      model.script([
        { calls: [{ name: 'Write', input: { file_path, content: 'by claude' } }] },
        { text: 'It is done.' },
      ]);
      const run = await fire(server, 'work');
      expect(run).toMatchObject({
        outcome: 'succeeded',
        runtime: 'claude',
        turns: 2,
        toolCalls: 1,
      });
      expect([run.tokensIn, run.tokensOut, run.cost].every((n) => Number(n) > 0)).toBe(true);
      expect(home.read('projects/demo/note.md')).toBe('by claude');
      const messages = await transcript(server, run.sessionId);
      expect(messages.map(({ kind, tool }) => tool?.name ?? kind)).toEqual(
        expect.arrayContaining(['notice', 'text', 'Write']),
      );
      model.script([
        { calls: [{ name: 'Bash', input: { command: 'touch escaped' } }] },
        { text: 'So be it.' },
      ]);
      expect(await fire(server, 'beyond')).toMatchObject({
        outcome: 'denied',
        denied: [{ tool: 'Bash' }],
      });
      expect(home.tryRead('projects/demo/escaped')).toBe('');
      model.script([{ calls: [{ name: 'Bash', input: { command } }] }, { text: 'Seen.' }]);
      const printed = await fire(server, 'prints');
      const seen = await transcript(server, printed.sessionId);
      expect(JSON.stringify(seen)).toContain('CLAUDE_KEY=[redacted]');
      const runs = await runsOf(server);
      await server.stop();
      expect(JSON.stringify([messages, seen, runs, server.lines])).not.toContain(KEY);
    }));

  // proves: runtimes.no-orphans
  it('leaves no process behind when it is killed', () =>
    withClaude(async (home, model) => {
      writeProject(home, { works: { prompt: 'Wait.', tools: ['Bash'] } });
      const first = await home.serve({ CLAUDE_KEY: KEY });
      const command = `setsid sh -c 'echo $$ > it.pid; exec sleep 300'`;
      model.script([{ calls: [{ name: 'Bash', input: { command } }] }]);
      await first.send('POST', '/api/projects/demo/triggers/works/run');
      const pid = await until(async () => Number(home.tryRead('projects/demo/it.pid')) || null);
      await first.stop('SIGKILL');
      const second = await home.serve({ CLAUDE_KEY: KEY });
      await until(async () => !isRunning(pid));
      expect(await runsOf(second)).toMatchObject([{ outcome: 'interrupted' }]);
    }));

  // proves: runtimes.fence.log
  it('logs that the tool list of the runtime is enforced', () =>
    withClaude(async (home) => {
      const server = await home.serve({ CLAUDE_KEY: KEY });
      const isAnnounced = async (): Promise<boolean> =>
        server.fences.some(
          ({ msg, runtime }) => runtime === 'claude' && msg === 'runtime self-test passed',
        );
      await until(isAnnounced, 120);
    }));
});
