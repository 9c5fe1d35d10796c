import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  type EventData,
  type ModelStep,
  stopOf,
  type Toolset,
  type TurnSandboxes,
  TurnStop,
} from '@svc/agent-runtime';
import { success } from '@svc/core';
import { MANAGE_PREFIX } from '@svc/records';
import fc from 'fast-check';
import {
  bash,
  call,
  inFolder,
  isRunning,
  makeRuntime,
  makeSpec,
  play,
  runTurn,
  scripted,
  step,
} from './support.ts';

const say = (text: string | null, ...calls: ReturnType<typeof call>[]): ModelStep => ({
  text,
  calls,
});

describe('a playbook turn', () => {
  it('runs the steps in order and outputs only the text of the author', async () => {
    await inFolder(async (folder) => {
      const prompt = `Note it.\n\n\`\`\`write notes.md\nIt ran.\n\`\`\`\n\nRead it back.\n${step('Read', { file_path: 'notes.md' })}\nThat was all.\n`;
      const { messages, end } = await play(folder, prompt);
      expect(messages).toEqual([
        { role: 'assistant', kind: 'text', text: 'Note it.', tool: null },
        {
          role: 'assistant',
          kind: 'tool_use',
          text: '',
          tool: {
            callId: expect.any(String),
            name: 'Write',
            input: { file_path: 'notes.md', content: 'It ran.\n' },
          },
        },
        {
          role: 'tool',
          kind: 'tool_result',
          text: 'Created notes.md (8 bytes).',
          tool: { callId: messages[1]?.tool?.callId, name: 'Write', isError: false },
        },
        { role: 'assistant', kind: 'text', text: 'Read it back.', tool: null },
        expect.objectContaining({ kind: 'tool_use' }),
        expect.objectContaining({ kind: 'tool_result', text: 'It ran.\n' }),
        { role: 'assistant', kind: 'text', text: 'That was all.', tool: null },
      ]);
      expect(messages[4]?.tool?.callId).toBe(messages[5]?.tool?.callId);
      expect(messages[4]?.tool?.callId).not.toBe(messages[1]?.tool?.callId);
      expect(end).toEqual({
        outcome: 'succeeded',
        reason: null,
        turns: 2,
        sandbox: null,
        network: null,
        toolCalls: 2,
        toolErrors: 0,
        denied: [],
        model: 'playbook',
        tokensIn: null,
        tokensOut: null,
        costMicrousd: null,
      });
    });
  });

  it('stops at the first failure and reports its step and last line', async () => {
    await inFolder(async (folder) => {
      const prompt = `${bash('true')}${bash('echo >&2; echo "it broke" >&2; echo more; exit 3')}${bash('touch never')}`;
      const { end, results } = await play(folder, `${prompt}Never said.`);
      expect(end).toMatchObject({ outcome: 'failed', turns: 2, toolCalls: 2 });
      expect(end.reason).toBe('Step 2 (Bash) failed: exit code 3: more');
      expect(results[1]).toBe('exit code 3\n\nit broke\nmore\n');
      await expect(readFile(join(folder, 'never'))).rejects.toThrow();
    });
  });

  it('ends denied if a step is refused', async () => {
    await inFolder(async (folder) => {
      const { end, results } = await play(folder, bash('touch never'), {
        capability: { tools: ['Read'] },
      });
      expect(end.outcome).toBe('denied');
      expect(end.reason).toBe(
        'Step 1 (Bash) was refused: The Bash tool is not available in this turn.',
      );
      expect(end.denied).toEqual([
        { tool: 'Bash', reason: 'The Bash tool is not available in this turn.' },
      ]);
      expect(results).toEqual(['The Bash tool is not available in this turn.']);
    });
  });

  it('fails at an invalid step, without running it', async () => {
    await inFolder(async (folder) => {
      const broken = '```tool Write\n{ "file_path": "a.md", content: 1 }\n```';
      const { end, messages } = await play(folder, broken);
      expect(end).toMatchObject({ outcome: 'failed', denied: [], toolCalls: 1 });
      expect(end.reason).toBe(
        'Step 1 (Write) failed: The input of Write on line 1 is not a JSON object. Write it as { "field": "value" }.',
      );
      expect(messages[0]?.tool?.input).toBe('{ "file_path": "a.md", content: 1 }');
      const open = await play(folder, 'Go.\n```bash\ntouch never');
      expect(open.end.reason).toMatch(/^Step 1 \(Bash\) failed: .*line 2 is not closed/);
    });
  });

  it('names the invalid field of an input', async () => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, step('Read', { path: 'a.md', limit: 0 }));
      expect(end.reason).toContain('path is not a known field.');
      expect(end.reason).toContain('file_path is required.');
      expect(end.reason).toContain('limit must be at least 1.');
    });
  });

  it.each([
    [
      [],
      'Available runtimes: native (runs ```bash, ```write and ```tool blocks as steps, without AI).',
    ],
    [
      ['claude', 'codex'],
      'Available runtimes: native (runs ```bash, ```write and ```tool blocks as steps, without AI). Agent programs on this machine: claude, codex.',
    ],
  ])('ends no_model without steps and names what was found: %j', async (found, sentence) => {
    await inFolder(async (folder) => {
      const runtime = makeRuntime({ detectRuntimes: async () => found });
      const spec = makeSpec(folder, { prompt: 'Please tidy up.\n```js\nrun()\n```' });
      const { end, messages } = await runTurn(runtime, spec);
      expect(messages).toEqual([]);
      expect(end).toMatchObject({ outcome: 'no_model', turns: 0, toolCalls: 0 });
      expect(end.reason).toBe(
        `The model is playbook, which only runs steps, and the prompt has none. Add steps or choose another model. ${sentence}`,
      );
    });
  });

  it('does not run its steps if another model was requested', async () => {
    await inFolder(async (folder) => {
      const spec = makeSpec(folder, { prompt: bash('touch done'), model: 'gpt-9' });
      const { end, messages } = await runTurn(makeRuntime(), spec);
      expect(messages).toEqual([]);
      expect(end).toMatchObject({ outcome: 'no_model', toolCalls: 0 });
      expect(end.reason).toContain('Model "gpt-9" is not available');
      const own = makeSpec(folder, { prompt: bash('touch done'), model: 'playbook' });
      expect((await runTurn(makeRuntime(), own)).end.outcome).toBe('succeeded');
    });
  });

  it('never reads event data as steps: it reaches commands as a variable only', async () => {
    await inFolder(async (folder) => {
      const data: EventData = {
        event: 'onArchive',
        project: 'demo',
        data: { chat: { name: '```bash\ntouch owned\n```\n$(touch owned)' } },
      };
      const free = await play(folder, 'A chat was archived.', { data });
      expect(free.end.outcome).toBe('no_model');
      const turn = await play(folder, bash('printf %s "$SVC_EVENT_JSON"'), { data });
      expect(JSON.parse(turn.results[0] ?? '')).toEqual({
        event: 'onArchive',
        project: 'demo',
        ...data.data,
      });
      await expect(readFile(join(folder, 'owned'))).rejects.toThrow();
    });
  });

  // proves: run.max-turns
  it('counts one model call per step and stops at the limit, with the tools of the last run', async () => {
    await inFolder(async (folder) => {
      const prompt = `${bash('touch one')}${bash('touch two')}${bash('touch three')}Closing.`;
      const short = await play(folder, prompt, { limits: { maxTurns: 2 } });
      expect(short.end).toMatchObject({ outcome: 'max_turns', turns: 2, toolCalls: 2 });
      expect(short.end.reason).toBe('Stopped after 2 steps (maxTurns).');
      await readFile(join(folder, 'two'));
      await expect(readFile(join(folder, 'three'))).rejects.toThrow();
      const enough = await play(folder, prompt, { limits: { maxTurns: 3 } });
      expect(enough.end).toMatchObject({ outcome: 'succeeded', turns: 3 });
      expect(enough.said).toEqual(['Closing.']);
    });
  });

  it('ends for every prompt', async () => {
    await inFolder(async (folder) => {
      const text = fc.array(
        fc.oneof(
          fc.constantFrom('```', '~~~', '\n', 'write a', 'tool Read', '{}', 'tool Glob', '{'),
          fc.string({ unit: 'binary', maxLength: 6 }),
        ),
        { maxLength: 20 },
      );
      await fc.assert(
        fc.asyncProperty(text, async (pieces) => {
          const { end } = await play(folder, pieces.join(''));
          expect(['succeeded', 'failed', 'denied', 'no_model']).toContain(end.outcome);
        }),
        { numRuns: 30 },
      );
    });
  });
});

describe('a turn of a model', () => {
  const run = (folder: string, steps: readonly (ModelStep | null)[], parts = {}) =>
    runTurn(makeRuntime({ model: scripted(steps) }), makeSpec(folder, parts));

  it('continues after a refused call, and is denied unless a later one succeeds', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a.md'), 'a');
      const parts = { capability: { tools: ['Read'] } };
      const refused = say(null, call('Bash', { command: 'ls' }));
      const good = say(null, call('Read', { file_path: 'a.md' }));
      const bad = say(null, call('Read', { file_path: 'b.md' }));
      const cases: [readonly ModelStep[], string][] = [
        [[refused, say('Sorry.')], 'denied'],
        [[refused, good, say('Done.')], 'succeeded'],
        [[good, refused, say('Sorry.')], 'denied'],
        [[refused, bad, say('Sorry.')], 'denied'],
        [[bad, say('Sorry.')], 'succeeded'],
      ];
      for (const [steps, outcome] of cases) {
        const { end } = await run(folder, steps, parts);
        expect([end.outcome, end.toolCalls]).toEqual([outcome, steps.length - 1]);
        if (outcome === 'denied') {
          expect(end.reason).toBe('Bash was refused: The Bash tool is not available in this turn.');
        }
      }
    });
  });

  it('fails if it produced no output', async () => {
    await inFolder(async (folder) => {
      const { end } = await run(folder, [say(null)]);
      expect(end).toMatchObject({ outcome: 'failed', reason: 'The turn produced no output.' });
    });
  });

  it('fails with the message of a model that fails or throws', async () => {
    await inFolder(async (folder) => {
      const turn = await run(folder, [{ end: 'failed', reason: 'The endpoint answered 500.' }]);
      expect(turn.end).toMatchObject({ outcome: 'failed', reason: 'The endpoint answered 500.' });
      const model = scripted([]);
      const throwing = {
        ...model,
        start: () => ({
          model: 'm',
          onFailedCall: 'stop' as const,
          next: () => Promise.reject(new Error('socket hang up')),
        }),
      };
      const { end } = await runTurn(makeRuntime({ model: throwing }), makeSpec(folder));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'The model failed: socket hang up',
        model: 'm',
      });
    });
  });

  // proves: run.tools.enforced
  it('gets exactly the tools that exist, and all messages so far', async () => {
    await inFolder(async (folder) => {
      const seen: { tools: string[]; kinds: string[] } = { tools: [], kinds: [] };
      const toolset: Toolset = {
        tools: ['list_chats', 'create_chat'].map((operation) => ({
          name: `${MANAGE_PREFIX}${operation}`,
          description: operation,
          inputSchema: { type: 'object' },
        })),
        call: async () => ({ text: '', isError: false }),
      };
      const model = {
        ...scripted([]),
        start: ({ tools }: { tools: readonly { name: string }[] }) => {
          seen.tools = tools.map(({ name }) => name);
          let at = 0;
          return {
            model: 'm',
            onFailedCall: 'stop' as const,
            next: async (messages: readonly { kind: string }[]): Promise<ModelStep> => {
              at += 1;
              seen.kinds = messages.map(({ kind }) => kind);
              return at === 1 ? say('Hm.', call('Glob', { pattern: '*' })) : say('Done.');
            },
          };
        },
      };
      const spec = makeSpec(folder, {
        toolset,
        capability: {
          tools: [
            'Glob',
            'Write',
            'WebSearch',
            'Task',
            `${MANAGE_PREFIX}list_chats`,
            `${MANAGE_PREFIX}create_chat`,
            `${MANAGE_PREFIX}set_trigger`,
          ],
          maxSpawnDepth: 0,
        },
      });
      await runTurn(makeRuntime({ model }), spec);
      expect(seen.tools).toEqual(['Glob', 'Write', `${MANAGE_PREFIX}list_chats`]);
      expect(seen.kinds).toEqual(['text', 'tool_use', 'tool_result']);
    });
  });

  it('adds up reported tokens', async () => {
    await inFolder(async (folder) => {
      const usage = { tokensIn: 10, tokensOut: 3, costMicrousd: null };
      const { end } = await run(folder, [
        { ...say(null, call('Glob', { pattern: '*' })), usage },
        { ...say('Done.'), usage },
      ]);
      expect(end).toMatchObject({ tokensIn: 20, tokensOut: 6, costMicrousd: null, turns: 2 });
    });
  });

  it('runs all calls of one step', async () => {
    await inFolder(async (folder) => {
      const both = say(
        null,
        call('Write', { file_path: 'a', content: 'a' }),
        call('Read', { file_path: 'a' }),
      );
      const { end, results } = await run(folder, [both, say('Done.')], { limits: { maxTurns: 2 } });
      expect(end).toMatchObject({ outcome: 'succeeded', turns: 2, toolCalls: 2 });
      expect(results[1]).toBe('a');
    });
  });
});

describe('operations as tools', () => {
  const toolset = (
    answer: (name: string, args: unknown) => { text: string; isError: boolean },
  ): Toolset => ({
    tools: [
      {
        name: `${MANAGE_PREFIX}list_triggers`,
        description: 'List.',
        inputSchema: { type: 'object' },
      },
    ],
    call: async (name, args) => answer(name, args),
  });

  it('are called by their full names, with their input', async () => {
    await inFolder(async (folder) => {
      const { end, results } = await play(
        folder,
        step(`${MANAGE_PREFIX}list_triggers`, { project: 'demo' }),
        {
          toolset: toolset((name, args) => ({
            text: `${name} ${JSON.stringify(args)}`,
            isError: false,
          })),
        },
      );
      expect(end.outcome).toBe('succeeded');
      expect(results).toEqual([`${MANAGE_PREFIX}list_triggers {"project":"demo"}`]);
    });
  });

  it('fail with the message of the operation', async () => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, step(`${MANAGE_PREFIX}list_triggers`, {}), {
        toolset: toolset(() => ({ text: 'No such project.', isError: true })),
      });
      expect(end).toMatchObject({ outcome: 'failed', denied: [] });
      expect(end.reason).toContain('No such project.');
    });
  });

  it('are absent if they are listed but not offered', async () => {
    await inFolder(async (folder) => {
      for (const offered of [null, toolset(() => ({ text: '', isError: false }))]) {
        const { end } = await play(folder, step(`${MANAGE_PREFIX}set_trigger`, {}), {
          toolset: offered,
        });
        expect(end.outcome).toBe('denied');
      }
    });
  });

  it('cannot crash a turn by throwing', async () => {
    await inFolder(async (folder) => {
      const throwing = toolset(() => {
        throw new Error('database is locked');
      });
      const { end } = await play(folder, step(`${MANAGE_PREFIX}list_triggers`, {}), {
        toolset: throwing,
      });
      expect(end.reason).toBe(
        `Step 1 (${MANAGE_PREFIX}list_triggers) failed: ${MANAGE_PREFIX}list_triggers failed: database is locked`,
      );
    });
  });
});

describe('a turn that is stopped', () => {
  it.each(['cancelled', 'timed_out', 'interrupted'] as const)(
    'ends %s with the given reason',
    async (kind) => {
      await inFolder(async (folder) => {
        const stop = new AbortController();
        const runtime = makeRuntime({ model: scripted([null]) });
        const turn = runTurn(runtime, makeSpec(folder), stop.signal);
        setTimeout(() => stop.abort(new TurnStop(kind, 'So it was decided.')), 20);
        expect((await turn).end).toMatchObject({ outcome: kind, reason: 'So it was decided.' });
      });
    },
  );

  it('does nothing if it was stopped before it began', async () => {
    await inFolder(async (folder) => {
      const signal = AbortSignal.abort(new TurnStop('interrupted', 'Shutting down.'));
      const { end, messages } = await runTurn(
        makeRuntime(),
        makeSpec(folder, { prompt: bash('touch never') }),
        signal,
      );
      expect(messages).toEqual([]);
      expect(end).toMatchObject({ outcome: 'interrupted', reason: 'Shutting down.', turns: 0 });
    });
  });

  it('counts an abort without a TurnStop as cancelled', () => {
    expect(stopOf(AbortSignal.abort())).toEqual({
      kind: 'cancelled',
      reason: 'The turn was cancelled.',
    });
  });

  it('answers the call in progress', async () => {
    await inFolder(async (folder) => {
      const stop = new AbortController();
      const hanging: Toolset = {
        tools: [
          {
            name: `${MANAGE_PREFIX}list_chats`,
            description: '',
            inputSchema: { type: 'object' },
          },
        ],
        call: () => new Promise(() => {}),
      };
      const spec = makeSpec(folder, {
        prompt: step(`${MANAGE_PREFIX}list_chats`, {}),
        toolset: hanging,
      });
      setTimeout(() => stop.abort(new TurnStop('cancelled', 'By hand.')), 20);
      const { messages, end } = await runTurn(makeRuntime(), spec, stop.signal);
      expect(messages.map(({ kind }) => kind)).toEqual(['tool_use', 'tool_result']);
      expect(messages[1]?.tool).toMatchObject({ isError: true });
      expect(end.outcome).toBe('cancelled');
    });
  });
});

describe('the native runtime', () => {
  it('declares what it enforces', async () => {
    const { id, holds, probe } = makeRuntime();
    expect(id).toBe('native');
    expect(holds.tools).toContain('Task');
    expect(holds.tools).toContain(`${MANAGE_PREFIX}run_trigger`);
    expect(holds.tools).not.toContain('WebSearch');
    expect(await probe()).toEqual({ ready: true });
  });

  it('fails with a message if the project folder is missing or not a folder', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      for (const cwd of [join(folder, 'none'), join(folder, 'file')]) {
        const { end } = await play(cwd, bash('ls'));
        expect(end).toMatchObject({
          outcome: 'failed',
          reason: 'The project folder does not exist.',
        });
      }
    });
  });

  it('works in a project folder behind a link', async () => {
    await inFolder(async (folder) => {
      const real = await mkdtemp(join(folder, 'real-'));
      const link = join(folder, 'link');
      await symlink(real, link);
      const prompt = ['a.md', join(link, 'b.md'), join(real, 'c.md')]
        .map((file_path) => step('Write', { file_path, content: 'x' }))
        .join('');
      expect((await play(link, prompt)).end.outcome).toBe('succeeded');
      expect(await readFile(join(real, 'b.md'), 'utf8')).toBe('x');
      await rm(link);
    });
  });

  it('ends the processes of a turn even if its events are no longer read', async () => {
    await inFolder(async (folder) => {
      const spec = makeSpec(folder, { prompt: bash('sleep 30 & echo $! > pid') + bash('true') });
      for await (const event of makeRuntime().start(spec, new AbortController().signal)) {
        if (event.type === 'message' && event.message.kind === 'tool_result') break;
      }
      const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
      expect(isRunning(pid)).toBe(false);
    });
  });

  it('stops a command whose turn was cancelled while its sandbox was being opened', () =>
    inFolder(async (cwd) => {
      const stop = new AbortController();
      const sandboxes: TurnSandboxes = {
        ...{ network: {}, shown: null, limitsNetwork: false, mode: 'auto' },
        async open() {
          stop.abort(new TurnStop('cancelled', 'Cancelled by a test.'));
          return success(null);
        },
      };
      const spec = makeSpec(cwd, { prompt: bash('sleep 300') });
      const { end } = await runTurn(makeRuntime({}, { sandboxes }), spec, stop.signal);
      expect(end).toMatchObject({ outcome: 'cancelled', reason: 'Cancelled by a test.' });
    }));
});
