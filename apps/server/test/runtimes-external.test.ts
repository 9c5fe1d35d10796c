import { describe, expect, it } from '@jest/globals';
import { fire, runsOf, transcript, writeProject, writeSettings } from './agents.ts';
import { isRunning, type Running, type TestHome, until, withHome } from './harness.ts';

const AGENT = new URL(
  '../../../packages/runtime-external/test/agents/raw-agent.mjs',
  import.meta.url,
).pathname;
const acp = { command: process.execPath, args: [AGENT], protocol: 'acp' };
const script = (lines: string) => ({ command: '/bin/sh', args: ['-c', lines], protocol: 'text' });
const WITHOUT_SANDBOX = { agents: { sandbox: { mode: 'off' } } };
/** A prompt with steps for the scripted agent. */
const stepsOf = (...steps: readonly object[]): string => `[${JSON.stringify(steps)}]`;

async function withExternal(
  external: Record<string, object>,
  test: (home: TestHome) => Promise<void>,
  settings = {},
): Promise<void> {
  await withHome(async (home) => {
    writeSettings(home, { ...settings, runtime: { external } });
    await test(home);
  });
}

// proves: runtimes.external
describe('a trigger with an external command as runtime', () => {
  it('stores its output as the answer, and its exit code as the outcome', () =>
    withExternal(
      { good: script('echo "Asked: $(cat)"'), bad: script('echo gone >&2; exit 4') },
      async (home) => {
        writeProject(home, {
          good: { prompt: 'Well?', runtime: 'good' },
          bad: { prompt: 'Well?', runtime: 'bad' },
        });
        const server = await home.serve();
        const run = await fire(server, 'good');
        expect(run).toMatchObject({ outcome: 'succeeded', runtime: 'good', tokensIn: null });
        const messages = await transcript(server, run.sessionId);
        expect(messages.at(-1)?.text).toMatch(/^Asked: [\s\S]*Well\?$/);
        expect(await fire(server, 'bad')).toMatchObject({
          outcome: 'failed',
          runtime: 'bad',
          reason: 'The command exited with code 4: gone',
        });
      },
    ));

  it('speaks ACP: its messages, permission requests and tool calls are in the chat', () =>
    withExternal(
      { tool: acp },
      async (home) => {
        const ask = {
          toolCallId: 'c1',
          title: 'Edit note.md',
          kind: 'edit',
          locations: [{ path: `${home.home}/projects/demo/note.md` }],
          effect: `${home.home}/projects/demo/note.md`,
        };
        const prompt = stepsOf(
          { say: 'I begin.' },
          { ask },
          { operation: { name: 'list_triggers' } },
        );
        writeProject(home, { work: { prompt, runtime: 'tool' } });
        const server = await home.serve();
        const run = await fire(server, 'work');
        expect(run).toMatchObject({ outcome: 'succeeded', runtime: 'tool', denied: [] });
        expect(home.read('projects/demo/note.md')).toBe('done\n');
        const said = (await transcript(server, run.sessionId)).map(({ text }) => text).join('\n');
        expect(said).toContain('I begin.');
        expect(said).toContain('200 {');
        expect(said).toContain('work');
      },
      { selfMcpEnabled: true, selfMcpWriteEnabled: true, hooksMcpEnabled: true },
    ));

  // proves: run.tools.banner
  it('reports neither an empty tool list nor a number of model calls', () =>
    withExternal({ script: script('echo Done.') }, async (home) => {
      writeProject(home, { work: { prompt: 'Go.', runtime: 'script' } });
      const server = await home.serve();
      const run = await fire(server, 'work');
      const [banner] = await transcript(server, run.sessionId);
      expect(banner?.text).toContain('Tools: whatever the command provides, without limits.');
      expect(banner?.text).not.toContain('At most');
    }));

  // proves: runtimes.secrets.external
  it('redacts the values of its variables, except those that are no secrets', () =>
    withExternal(
      {
        script: {
          ...script('echo "$LC_ALL $MODE $AGENT_KEY"'),
          env: ['LC_ALL', 'MODE', 'AGENT_KEY'],
        },
      },
      async (home) => {
        writeProject(home, { work: { prompt: 'Go.', runtime: 'script' } });
        const server = await home.serve({
          AGENT_KEY: 'sk-very-secret',
          MODE: 'quietly',
          LC_ALL: 'C.UTF-8, as it is',
        });
        const run = await fire(server, 'work');
        const said = (await transcript(server, run.sessionId)).at(-1)?.text;
        expect(said).toBe('C.UTF-8, as it is quietly [redacted]');
      },
    ));

  it('cannot have a list of tools without a sandbox: a PUT is refused, an entry in a file fails and needs attention', () =>
    withExternal(
      { tool: acp, script: script('touch ran') },
      async (home) => {
        const limited = { prompt: 'Go.', tools: ['Read'] };
        writeProject(home, {
          tool: { ...limited, runtime: 'tool' },
          script: { ...limited, runtime: 'script' },
        });
        home.write(
          'projects/demo/project.yaml',
          home.read('projects/demo/project.yaml').replaceAll('enabled: false', 'enabled: true'),
        );
        const server = await home.serve();
        for (const name of ['tool', 'script']) {
          const put = await server.send('PUT', `/api/projects/demo/triggers/new-${name}`, {
            trigger: { type: 'schedule', interval: '1h' },
            run: { ...limited, runtime: name },
          });
          expect(put).toMatchObject({
            status: 400,
            body: { code: 'invalid', issues: [{ path: 'run.tools' }] },
          });
        }
        const { body } = await server.get('/api/projects');
        expect(body).toMatchObject({ projects: [{ health: { needYou: 2, unready: 2 } }] });
        for (const name of ['tool', 'script']) {
          expect(await fire(server, name)).toMatchObject({
            outcome: 'failed',
            reason: expect.stringContaining('run.tools'),
          });
        }
        expect(home.tryRead('projects/demo/ran')).toBe('');
      },
      WITHOUT_SANDBOX,
    ));
});

describe('a server that is killed while agents run', () => {
  const pidIn = (home: TestHome, file: string) =>
    until(async () => Number(home.tryRead(`projects/demo/${file}`)) || null);
  // In a session of its own, like a process that wants to survive.
  const work = (name: string): string => `setsid sh -c 'echo $$ > ${name}.pid; exec sleep 300'`;
  const fireOnly = (server: Running, name: string) =>
    server.send('POST', `/api/projects/demo/triggers/${name}/run`);

  // proves: runtimes.no-orphans
  it('leaves none of their processes running, and their runs are interrupted', () =>
    withExternal(
      { tool: acp, script: script(`${work('text')} & sleep 300`) },
      async (home) => {
        const steps = `\`\`\`bash\n${work('bash')} & sleep 300\n\`\`\`\n`;
        writeProject(home, {
          text: { prompt: 'Go.', runtime: 'script' },
          acp: { prompt: stepsOf({ start: work('acp') }, { hang: 1 }), runtime: 'tool' },
          bash: { prompt: steps, runtime: 'native' },
        });
        const first = await home.serve();
        for (const name of ['text', 'acp', 'bash']) await fireOnly(first, name);
        const pids: number[] = [];
        for (const name of ['text', 'acp', 'bash']) pids.push(await pidIn(home, `${name}.pid`));
        await first.stop('SIGKILL');
        const second = await home.serve();
        await until(async () => pids.every((pid) => !isRunning(pid)));
        const runs = await runsOf(second);
        expect(runs.map(({ trigger, outcome }) => [trigger, outcome]).sort()).toEqual([
          ['acp', 'interrupted'],
          ['bash', 'interrupted'],
          ['text', 'interrupted'],
        ]);
      },
      // Processes in a sandbox have other numbers inside.
      { ...WITHOUT_SANDBOX, limits: { concurrentTurnsPerProject: 3 } },
    ));
});

// proves: runtimes.fence.log
describe('a server', () => {
  it('reports in its log and settings whether the tool lists of its runtimes are enforced, after it listens', () =>
    withHome(async (home) => {
      const server = await home.serve();
      const seen = await until(async () => server.fences[0]);
      expect(seen).toMatchObject({
        msg: 'runtime self-test passed',
        runtime: 'native',
      });
      const listening = server.lines.find(({ msg }) => msg === 'listening');
      expect(String(seen['time']) >= String(listening?.['time'])).toBe(true);
      const { body } = await server.get('/api/settings');
      expect(body).toMatchObject({
        runtimes: [{ id: 'native', fence: { verdict: 'holds' } }, { id: 'claude' }],
      });
    }));
});
