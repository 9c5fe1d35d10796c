import { readFileSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Toolset } from '@svc/agent-runtime';
import { MANAGE_PREFIX, PERMISSION_MODES } from '@svc/records';
import type { ScriptedModel, ScriptedStep } from '@svc/runtime-claude/testing';
import { makeSpec, runTurn } from '../test/support.ts';
import { inWorld } from './world.ts';

const bash = (command: string): ScriptedStep => ({ calls: [{ name: 'Bash', input: { command } }] });
const read = (file_path: string): ScriptedStep => ({
  calls: [{ name: 'Read', input: { file_path } }],
});

interface Body {
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
}

const bodyOf = ({ requests }: ScriptedModel, at = 0): Body => requests[at]?.body as unknown as Body;

const absent = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    () => true,
  );

describe('a turn', () => {
  it('runs in the project folder and yields its messages', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      await writeFile(join(project, 'a.txt'), 'old\n');
      const content = 'new';
      model.script([
        { text: 'I look.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
        { calls: [{ name: 'Write', input: { file_path: join(project, 'b.txt'), content } }] },
        { text: 'It is done.' },
      ]);
      const spec = makeSpec(project);
      const { end, messages, sessions, texts } = await runTurn(runtime, spec);
      expect(end).toEqual({
        outcome: 'succeeded',
        reason: null,
        sandbox: 'none',
        network: null,
        turns: 3,
        toolCalls: 2,
        toolErrors: 0,
        denied: [],
        model: expect.any(String),
        tokensIn: 3900,
        tokensOut: 150,
        costMicrousd: expect.any(Number),
      });
      expect(messages.map(({ kind, tool }) => [kind, tool?.name])).toEqual([
        ['text', undefined],
        ['tool_use', 'Read'],
        ['tool_result', 'Read'],
        ['tool_use', 'Write'],
        ['tool_result', 'Write'],
        ['text', undefined],
      ]);
      expect(texts).toEqual(['I look.', 'It is done.']);
      expect(sessions).toEqual([spec.sessionId]);
      expect(await readFile(join(project, 'b.txt'), 'utf8')).toBe('new');
    });
  });

  // proves: limits.cost-per-day.running
  it('stops at the daily cost limit', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      const steps = Array.from({ length: 6 }, (_, at) => bash(`echo ${at}`));
      model.script([...steps, { text: 'It is done.' }]);
      const limits = { maxTurns: 30, costMicrousd: 1 };
      const { end } = await runTurn(runtime, makeSpec(project, { limits }));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('daily cost limit'),
      });
      expect(end.turns).toBeLessThan(4);
      expect(end.costMicrousd).toBeGreaterThan(1);
    });
  });

  // proves: limits.cost-per-day.running
  it('reports its usage after each call if there are prices', async () => {
    const prices = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
    await inWorld(
      async ({ model, project, runtime }) => {
        model.script([bash('echo 1'), bash('echo 2'), { text: 'It is done.' }]);
        const costs: (number | null)[] = [];
        const spec = makeSpec(project);
        const { end } = await runTurn(runtime, {
          ...spec,
          onUsage: async ({ costMicrousd }) => void costs.push(costMicrousd),
        });
        expect(end.outcome).toBe('succeeded');
        expect(costs).toEqual([1400, 2800, 4200]);
      },
      { prices },
    );
  });

  // proves: claude.prompt
  it('passes instructions and prompt to the agent unchanged', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      await writeFile(join(project, 'CLAUDE.md'), 'NOT-CONFIGURED');
      await writeFile(join(project, 'secret.txt'), 'NOT-TO-BE-READ');
      for (const author of ['/compact', 'Look at @secret.txt', '!ls']) {
        model.script([{ text: 'Said.' }]);
        await runTurn(runtime, makeSpec(project, { prompt: { author } }));
        const { system, messages } = bodyOf(model);
        expect(system.at(-1)?.text).toBe('You are an agent under test.');
        const users = messages.filter(({ role }) => role === 'user');
        expect(users.map(({ content }) => content)).toEqual([[{ type: 'text', text: author }]]);
        expect(JSON.stringify(model.requests)).not.toMatch(/NOT-/);
      }
    });
  });

  // proves: claude.prompt
  it('adds CLAUDE.md of the project if configured, but no other project settings', async () => {
    await inWorld(
      async ({ model, project, runtime }) => {
        await writeFile(join(project, 'CLAUDE.md'), 'Be brief.');
        await mkdir(join(project, '.claude'));
        const command = `touch ${join(project, 'hooked')}`;
        const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] };
        const settings = { hooks, env: { PLANTED: 'yes' }, permissions: { allow: ['Bash'] } };
        await writeFile(join(project, '.claude/settings.json'), JSON.stringify(settings));
        const server = { command: 'touch', args: [join(project, 'served')] };
        await writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { server } }));
        model.script([bash('env')]);
        const { results } = await runTurn(runtime, makeSpec(project));
        expect(bodyOf(model).system.at(-1)?.text).toBe('You are an agent under test.\n\nBe brief.');
        expect(results[0]).not.toContain('PLANTED');
        expect(await absent(join(project, 'hooked'))).toBe(true);
        expect(await absent(join(project, 'served'))).toBe(true);
      },
      { projectInstructions: true },
    );
  });

  // proves: claude.relay
  it('hides the key from everything that the agent runs', async () => {
    await inWorld(
      async ({ model, project, runtime, state }) => {
        model.script([bash('env; cat /proc/$PPID/environ /proc/$PPID/cmdline | tr "\\0" "\\n"')]);
        const { results, end } = await runTurn(runtime, makeSpec(project));
        expect(end.outcome).toBe('succeeded');
        expect(results[0]).toContain('SVC_TURN_ID=');
        expect(results.join()).not.toContain('real-key-4711');
        expect(model.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
          'real-key-4711',
          'real-key-4711',
        ]);
        const config = await readFile(join(state, 'config/.claude.json'), 'utf8');
        expect(config).not.toContain('real-key-4711');
      },
      { apiKey: () => 'real-key-4711' },
    );
  });

  // proves: claude.environment
  it('ignores the home folder', async () => {
    await inWorld(async ({ model, project, outside, runtime }) => {
      await mkdir(join(outside, '.claude'));
      const command = `touch ${join(outside, 'hooked')}`;
      const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] };
      await writeFile(join(outside, '.claude/settings.json'), JSON.stringify({ hooks }));
      await writeFile(join(outside, '.claude/CLAUDE.md'), 'OF-THE-HOME');
      const login = { claudeAiOauth: { accessToken: 'a-login', expiresAt: 9e15, scopes: [] } };
      await writeFile(join(outside, '.claude/.credentials.json'), JSON.stringify(login));
      model.script([{ text: 'Said.' }]);
      const spec = makeSpec(project);
      const { end } = await runTurn(runtime, { ...spec, env: { ...spec.env, HOME: outside } });
      expect(end.outcome).toBe('succeeded');
      expect(JSON.stringify(model.requests)).not.toMatch(/OF-THE-HOME|a-login/);
      expect(await absent(join(outside, 'hooked'))).toBe(true);
    });
  });

  it.each(PERMISSION_MODES.filter((mode) => mode !== 'plan'))(
    'runs listed tools in permission mode %s, even as root',
    async (permissionMode) => {
      await inWorld(async ({ model, project, runtime, outside }) => {
        const away = { file_path: join(outside, 'x'), content: 'x' };
        model.script([bash('touch here; node -e 1'), { calls: [{ name: 'Write', input: away }] }]);
        const { end } = await runTurn(
          runtime,
          makeSpec(project, { capability: { permissionMode } }),
        );
        expect(end.denied.map(({ tool }) => tool)).toEqual(['Write']);
        expect(end).toMatchObject({ outcome: 'denied', turns: 3 });
        expect(await absent(join(project, 'here'))).toBe(false);
        expect(await absent(join(outside, 'x'))).toBe(true);
      });
    },
  );

  it('cuts long tool results', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      await writeFile(join(project, 'long.ts'), 'y'.repeat(90).concat('\n').repeat(900));
      model.script([read('long.ts')]);
      const { results } = await runTurn(runtime, makeSpec(project));
      expect(Buffer.byteLength(results[0] ?? '')).toBeLessThan(256 * 1024 + 100);
    });
  });
});

// proves: claude.outcomes
describe('the outcome of a turn', () => {
  const outcomeOf = async (steps: readonly ScriptedStep[], parts = {}) => {
    let end: unknown;
    await inWorld(async ({ model, project, runtime }) => {
      await writeFile(join(project, 'a.txt'), 'a');
      model.script(steps);
      end = (await runTurn(runtime, makeSpec(project, parts))).end;
    });
    return end;
  };

  it('is denied if a call was refused and no later call succeeded', async () => {
    const parts = { capability: { tools: ['Read'] } };
    const refused = await outcomeOf([read('a.txt'), bash('true')], parts);
    expect(refused).toMatchObject({
      outcome: 'denied',
      reason: 'Bash was refused: The Bash tool is not available in this turn.',
      denied: [{ tool: 'Bash', reason: 'The Bash tool is not available in this turn.' }],
    });
    const recovered = await outcomeOf([bash('true'), read('a.txt')], parts);
    expect(recovered).toMatchObject({ outcome: 'succeeded', denied: [{ tool: 'Bash' }] });
  });

  it('is max_turns if the model needs more calls than allowed', async () => {
    const end = await outcomeOf([bash('true'), bash('true'), bash('true')], {
      limits: { maxTurns: 2 },
    });
    expect(end).toMatchObject({
      outcome: 'max_turns',
      reason: 'Stopped after 2 model calls (maxTurns).',
      turns: 2,
    });
  });

  it('is failed if the model returns nothing', async () => {
    const end = await outcomeOf(Array.from({ length: 8 }, () => ({})));
    expect(end).toMatchObject({ outcome: 'failed' });
  });

  it.each([401, 429, 500])(
    'is failed if the server responds with %i, within a minute',
    async (status) => {
      const headers = { 'retry-after': '600' };
      const end = await outcomeOf(Array.from({ length: 20 }, () => ({ status, headers })));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/^The model failed: .*scripted/),
        turns: 0,
      });
    },
    60_000,
  );

  it('is failed if answers are incomplete', async () => {
    const end = await outcomeOf(Array.from({ length: 20 }, () => ({ text: 'half', cut: true })));
    expect(end).toMatchObject({ outcome: 'failed' });
  });
});

// proves: claude.operations
describe('operations', () => {
  const toolset = (calls: unknown[]): Toolset => ({
    tools: ['list_triggers', 'set_trigger', 'run_trigger'].map((name) => ({
      name: `${MANAGE_PREFIX}${name}`,
      description: `Does ${name}.`,
      inputSchema: { type: 'object', properties: { project: { type: 'string' } } },
    })),
    async call(name, args) {
      calls.push([name, args]);
      return name.endsWith('set_trigger')
        ? { text: 'It failed.', isError: true }
        : { text: 'It was called.', isError: false };
    },
  });
  const full = (name: string): string => `${MANAGE_PREFIX}${name}`;
  const call = (name: string, input = {}): ScriptedStep => ({
    calls: [{ name: full(name), input }],
  });

  it('are limited to the listed tools and return their results', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      const calls: unknown[] = [];
      model.script([
        call('list_triggers', { project: 'demo' }),
        call('set_trigger'),
        call('run_trigger'),
      ]);
      const tools = [full('list_triggers'), full('set_trigger')];
      const spec = makeSpec(project, { capability: { tools }, toolset: toolset(calls) });
      const { results, end } = await runTurn(runtime, spec);
      expect(calls).toEqual([
        [full('list_triggers'), { project: 'demo' }],
        [full('set_trigger'), {}],
      ]);
      expect(results.slice(0, 2)).toEqual(['It was called.', 'It failed.']);
      expect(end.denied.map(({ tool }) => tool)).toEqual([full('run_trigger')]);
      const wire = bodyOf(model).tools?.map(({ name }) => name) ?? [];
      expect(wire).toEqual(expect.arrayContaining(tools));
      expect(wire).not.toContain(full('run_trigger'));
    });
  });

  it('only read in permission mode plan', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      const calls: unknown[] = [];
      model.script([call('list_triggers'), call('set_trigger')]);
      const capability = { permissionMode: 'plan' } as const;
      const spec = makeSpec(project, { capability, toolset: toolset(calls) });
      const { end } = await runTurn(runtime, spec);
      expect(calls).toEqual([[full('list_triggers'), {}]]);
      expect(end.denied.map(({ tool }) => tool)).toEqual([full('set_trigger')]);
    });
  });
});

// proves: claude.children
describe('a child agent', () => {
  const input = { description: 'child', prompt: 'Go.', subagent_type: 'general-purpose' };
  const child: ScriptedStep = { calls: [{ name: 'Task', input }] };

  it('has the same limits and cannot start turns', async () => {
    await inWorld(async ({ model, project, runtime, outside }) => {
      const away = { file_path: join(outside, 'x'), content: 'x' };
      model.script([
        child,
        child,
        { calls: [{ name: 'Write', input: away }] },
        bash('touch by-child'),
        { text: 'The child has ended.' },
        { text: 'I have ended.' },
      ]);
      const spec = makeSpec(project, { capability: { maxSpawnDepth: 3 } });
      const { end, texts } = await runTurn(runtime, spec);
      expect(end).toMatchObject({ outcome: 'succeeded', turns: 6, toolCalls: 4 });
      expect(end.denied.map(({ tool }) => tool)).toEqual(['Task', 'Write']);
      expect(texts).toContain('I have ended.');
      expect(await absent(join(project, 'by-child'))).toBe(false);
      expect(await absent(join(outside, 'x'))).toBe(true);
    });
  });

  it('counts towards the limit of its turn', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([child, ...Array.from({ length: 9 }, () => bash('echo . >> calls'))]);
      const { end } = await runTurn(runtime, makeSpec(project, { limits: { maxTurns: 4 } }));
      expect(end).toMatchObject({ outcome: 'max_turns', turns: 4 });
      expect(readFileSync(join(project, 'calls'), 'utf8')).toBe('.\n'.repeat(3));
    });
  });
});
