import { describe, expect, it } from '@jest/globals';
import { type ScriptedEndpoint, startScriptedEndpoint } from '@svc/agent-runtime/testing';
import { fire, transcript, withAnswers, writeProject, writeSettings } from './agents.ts';
import { type Running, type TestHome, until, withHome } from './harness.ts';

const KEY = 'sk-very-secret-0123456789';
const STEPS = {
  prompt: '```write steps.txt\nby steps\n```\n',
  model: 'playbook',
  tools: ['Write'],
};

/** A home whose agents use a model at a scripted endpoint with a key. */
async function withModel(
  test: (home: TestHome, endpoint: ScriptedEndpoint) => Promise<void>,
  settings = {},
): Promise<void> {
  const endpoint = await startScriptedEndpoint();
  const native = {
    model: 'scripted',
    baseUrl: endpoint.baseUrl,
    apiKey: { ref: 'env:MODEL_KEY' },
    prices: { inputPerMillionUsd: 1, outputPerMillionUsd: 5 },
  };
  try {
    await withHome(async (home) => {
      writeSettings(home, { ...settings, runtime: { native } });
      await test(home, endpoint);
    });
  } finally {
    await endpoint.close();
  }
}

const serve = (home: TestHome): Promise<Running> => home.serve({ MODEL_KEY: KEY });
const call = (name: string, input: object) => ({ name, input });

describe('a trigger with a model behind an endpoint', () => {
  // proves: runtimes.native.endpoint
  it('uses the tools it lists, next to a trigger that runs a playbook', () =>
    withModel(async (home, { promptOf }) => {
      const calls = [
        call('Write', { file_path: 'note.md', content: 'by a model' }),
        call('Read', { file_path: 'note.md' }),
      ];
      writeProject(home, {
        work: { prompt: promptOf(calls), tools: ['Read', 'Write'] },
        steps: STEPS,
      });
      const server = await serve(home);
      const run = await fire(server, 'work');
      expect(run).toMatchObject({
        outcome: 'succeeded',
        runtime: 'native',
        model: 'scripted',
        turns: 3,
        toolCalls: 2,
        tokensIn: 30,
        tokensOut: 6,
        cost: 0.00006,
        denied: [],
      });
      expect(home.read('projects/demo/note.md')).toBe('by a model');
      const messages = await transcript(server, run.sessionId);
      expect(messages.map(({ kind, tool }) => tool?.name ?? kind)).toEqual([
        'notice',
        'notice',
        'text',
        'Write',
        'Write',
        'Read',
        'Read',
        'text',
      ]);
      expect(messages.at(-2)?.text).toContain('by a model');
      expect(await fire(server, 'steps')).toMatchObject({
        outcome: 'succeeded',
        runtime: 'native',
        model: 'playbook',
        tokensIn: null,
        cost: null,
      });
      expect(home.read('projects/demo/steps.txt')).toBe('by steps\n');
    }));

  // proves: runtimes.native.endpoint
  it('is denied a tool that it does not list, and the run reports it', () =>
    withModel(async (home, { promptOf }) => {
      const prompt = promptOf([call('Bash', { command: 'touch escaped' })]);
      writeProject(home, { beyond: { prompt, tools: ['Read'] } });
      const server = await serve(home);
      const run = await fire(server, 'beyond');
      expect(run).toMatchObject({ outcome: 'denied', denied: [{ tool: 'Bash' }] });
      expect(run.reason).toContain('Bash');
      expect(home.tryRead('projects/demo/escaped')).toBe('');
    }));

  // proves: runtimes.native.endpoint
  it.each([[true], [false]])(
    'can list the triggers of its project only if the settings allow it: %s',
    (open) =>
      withModel(
        async (home, { promptOf, requests }) => {
          writeProject(home, { steps: STEPS });
          const server = await serve(home);
          const name = 'mcp__svc_manage__list_triggers';
          const made = await server.send('POST', '/api/projects/demo/chats', {
            prompt: promptOf([call(name, {})]),
          });
          const { sessionId } = made.body as { sessionId: string };
          const result = await until(async () =>
            (await transcript(server, sessionId)).find(({ kind }) => kind === 'tool_result'),
          );
          expect(result.tool).toMatchObject({ name, isError: !open });
          expect(result.text.includes('steps')).toBe(open);
          expect(requests().includes(`"name":"${name}","description"`)).toBe(open);
        },
        { selfMcpEnabled: open, selfMcpWriteEnabled: open, hooksMcpEnabled: open },
      ),
  );
});

// In a sandbox, no command can read the environment of the service.
const WITHOUT_SANDBOX = { agents: { sandbox: { mode: 'off' } } };

describe('the key of an endpoint', () => {
  // proves: runtimes.secrets
  it('is never printed or stored', () =>
    withModel(async (home, { promptOf }) => {
      const command = `tr '\\0' '\\n' < /proc/$PPID/environ | grep MODEL_KEY; exit 3`;
      writeProject(home, {
        prints: { prompt: promptOf([call('Bash', { command })]), tools: ['Bash'] },
        steps: { prompt: `\`\`\`bash\n${command}\n\`\`\`\n`, model: 'playbook', tools: ['Bash'] },
      });
      const server = await serve(home);
      const seen: unknown[] = [];
      for (const name of ['prints', 'steps']) {
        const run = await fire(server, name);
        const messages = await transcript(server, run.sessionId);
        expect(JSON.stringify(messages)).toContain('MODEL_KEY=[redacted]');
        seen.push(run, messages);
      }
      for (const path of ['/api/settings', '/api/status', '/metrics', '/api/projects/demo/runs']) {
        seen.push((await server.get(path)).body);
      }
      await server.stop();
      expect(JSON.stringify([seen, server.lines, server.stderr()])).not.toContain(KEY);
    }, WITHOUT_SANDBOX));

  // proves: runtimes.model-ready
  it('is required by name, and only by turns that use the model', () =>
    withModel(async (home, { promptOf, requests }) => {
      writeProject(home, { ask: { prompt: promptOf([]) }, steps: STEPS });
      const first = await serve(home);
      const { sessionId } = await fire(first, 'ask');
      await first.stop();
      const asked = requests();
      const server = await home.serve();
      expect(await fire(server, 'ask')).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/^The native runtime .*\. Export MODEL_KEY and restart svc/),
      });
      expect(await fire(server, 'steps')).toMatchObject({ outcome: 'succeeded' });
      await server.send('POST', `/api/projects/demo/chats/${sessionId}/messages`, {
        prompt: 'On.',
      });
      const refused = await until(async () =>
        (await transcript(server, sessionId)).find(({ text }) => text.includes('MODEL_KEY')),
      );
      expect(refused.text).toContain('failed: The model cannot be called: its key is missing');
      expect(requests()).toBe(asked);
    }));
});

const head = { 'content-type': 'text/event-stream' };

// proves: runtimes.native.faults
describe('an endpoint that does not answer', () => {
  it('fails the run with a plain reason that does not contain the key', () =>
    withAnswers(
      {
        refusing: (response) => response.writeHead(401).end(`{"error":{"message":"bad ${KEY}"}}`),
        page: (response) =>
          response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
        empty: (response) =>
          response
            .writeHead(200, head)
            .end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'),
        fault: (response) =>
          response.writeHead(200, head).end('data: {"error":{"message":"out of memory"}}\n\n'),
        cut: (response) =>
          response.writeHead(200, head).end('data: {"choices":[{"delta":{"content":"It i"}}]}\n\n'),
      },
      (baseUrl) =>
        withHome(async (home) => {
          const native = { model: 'm', baseUrl, apiKey: { ref: 'env:MODEL_KEY' } };
          writeSettings(home, { runtime: { native } });
          const models = ['refusing', 'page', 'empty', 'fault', 'cut'];
          writeProject(
            home,
            Object.fromEntries(models.map((model) => [model, { prompt: 'Go.', model }])),
          );
          const server = await serve(home);
          const reasons: Record<string, string | null> = {};
          for (const name of models) {
            const { outcome, reason } = await fire(server, name);
            expect([name, outcome]).toEqual([name, 'failed']);
            reasons[name] = reason;
          }
          expect(reasons).toEqual({
            refusing: expect.stringContaining('401'),
            page: expect.stringContaining('returned a page'),
            empty: expect.stringContaining('an empty answer'),
            fault: expect.stringContaining('out of memory'),
            cut: expect.stringContaining('ended early'),
          });
          await server.stop();
          expect(JSON.stringify([reasons, server.lines])).not.toMatch(`${KEY}|<h1>`);
        }),
    ));
});
