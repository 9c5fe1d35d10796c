import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { agent, inFolder, makeRuntime, makeSpec, type Ran, runTurn, steps } from './support.ts';

interface RequestResult {
  readonly ran: Ran;
  /** Whether the call had its effect. */
  readonly done: boolean;
  /** The response to the permission request. */
  readonly answer: object;
}

interface Turn {
  readonly tools?: readonly string[];
  readonly runsAs?: 'agent' | 'keeper';
  readonly permissionMode?: 'default' | 'plan' | 'bypassPermissions';
  readonly depth?: number;
  readonly options?: readonly object[];
  /** Fields of the call that the agent reports before it asks. */
  readonly before?: object;
}

/** Runs a turn whose agent asks permission for one call, which writes a file if allowed. */
async function requestPermission(
  cwd: string,
  call: object,
  turn: Turn = {},
): Promise<RequestResult> {
  const [answers, effect] = [join(cwd, 'answers'), join(cwd, 'effect')];
  const { tools = [], runsAs = 'agent', permissionMode = 'default', depth = 0, before } = turn;
  const request = {
    toolCallId: 'a',
    ...call,
    effect,
    ...(turn.options && { options: turn.options }),
  };
  const first = { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'x', ...before };
  const list = [...(before ? [{ update: first }] : []), { ask: request }, { say: 'Over.' }];
  const capability = { tools: [...tools], runsAs, permissionMode };
  const spec = makeSpec(cwd, { prompt: steps(...list), capability, depth });
  const ran = await runTurn(makeRuntime(agent({ answers })), spec);
  return { ran, done: existsSync(effect), answer: JSON.parse(readFileSync(answers, 'utf8')) };
}

const ONCE = { outcome: 'selected', optionId: 'once' };
const NO = { outcome: 'selected', optionId: 'no' };

const shell = { kind: 'execute', title: 'rm -rf x', rawInput: { command: 'rm -rf x' } };
const write = (path: string) => ({
  kind: 'edit',
  title: `Writing ${path}`,
  content: [{ type: 'diff', path, oldText: '', newText: 'x' }],
});
const edit = (path: string) => ({
  kind: 'edit',
  title: `Editing ${path}`,
  content: [{ type: 'diff', path, oldText: 'y', newText: 'x' }],
});

// proves: external.acp.permission
describe('a permission request', () => {
  it('is granted once for a listed tool', () =>
    inFolder(async (cwd) => {
      const { ran, done, answer } = await requestPermission(cwd, shell, { tools: ['Bash'] });
      expect(answer).toEqual(ONCE);
      expect(done).toBe(true);
      expect(ran.end).toMatchObject({ outcome: 'succeeded', denied: [], toolCalls: 1 });
      expect(ran.notices).toEqual([]);
    }));

  it('is refused without effect for an unlisted tool', () =>
    inFolder(async (cwd) => {
      const { ran, done, answer } = await requestPermission(cwd, shell, {
        tools: ['Read', 'Write'],
      });
      expect(answer).toEqual(NO);
      expect(done).toBe(false);
      const reason = 'The Bash tool is not available in this turn.';
      expect(ran.end).toMatchObject({
        outcome: 'denied',
        reason: `Bash was refused: ${reason}`,
        denied: [{ tool: 'Bash', reason }],
      });
      const [use, result] = ran.messages.filter(({ tool }) => tool !== null);
      expect(use).toMatchObject({ tool: { name: 'Bash', input: { command: 'rm -rf x' } } });
      expect(result).toMatchObject({ text: reason, tool: { name: 'Bash', isError: true } });
    }));

  it.each<[object, readonly string[]]>([
    [shell, ['Bash']],
    [{ kind: 'read', title: 'a', locations: [{ path: 'a.md' }] }, ['Read']],
    [write('a.md'), ['Write']],
    [edit('a.md'), ['Edit']],
    [{ kind: 'edit', title: 'a', locations: [{ path: 'a.md' }] }, ['Edit', 'Write']],
    [{ kind: 'edit', name: 'write_file', title: 'a', rawInput: { file_path: 'a.md' } }, ['Write']],
    [{ kind: 'edit', title: 'a', rawInput: { changes: { 'a.md': {} } } }, ['Edit', 'Write']],
    [{ kind: 'delete', title: 'a' }, ['Bash']],
    [{ kind: 'move', title: 'a' }, ['Bash']],
    [{ kind: 'search', title: 'a' }, ['Glob', 'Grep', 'WebSearch']],
    [{ kind: 'search', name: 'grep_search', title: 'a' }, ['Grep']],
    [{ kind: 'fetch', title: 'a' }, ['WebFetch', 'WebSearch']],
    [{ kind: 'fetch', name: 'google_web_search', title: 'a' }, ['WebSearch']],
    [{ kind: 'think', title: 'a' }, ['Task']],
    [{ kind: 'execute', name: 'read', title: 'a' }, ['Bash', 'Read']],
    [{ kind: 'other', name: 'shell', title: 'a' }, ['Bash']],
    [{ _meta: { claudeCode: { toolName: 'Bash' } }, title: 'a' }, ['Bash']],
    [{ title: 'mcp__svc_manage__list_triggers' }, ['mcp__svc_manage__list_triggers']],
    [{ kind: 'other', title: 'svc_manage_list_triggers' }, ['mcp__svc_manage__list_triggers']],
    [
      { kind: 'other', title: 'list_triggers (svc_manage MCP Server)' },
      ['mcp__svc_manage__list_triggers'],
    ],
    [
      {
        kind: 'execute',
        rawInput: { server: 'svc_manage', tool: 'list_triggers', arguments: {} },
      },
      ['mcp__svc_manage__list_triggers'],
    ],
  ])('for %j is granted only if all of %j are listed', (call, tools) =>
    inFolder(async (cwd) => {
      expect((await requestPermission(cwd, call, { tools })).answer).toEqual(ONCE);
      for (const missing of tools) {
        mkdirSync(join(cwd, missing));
        const others = [...tools.filter((name) => name !== missing), 'NotebookEdit'];
        const place = join(cwd, missing);
        expect((await requestPermission(place, call, { tools: others })).answer).toEqual(NO);
      }
    }),
  );

  it.each([
    { kind: 'execute', title: 'svc_manage_list_triggers', rawInput: { command: 'x' } },
    { kind: 'execute', title: 'mcp__svc_manage__list_triggers' },
    {
      kind: 'execute',
      rawInput: { server: 'svc_manage', tool: 'list_triggers', arguments: {}, command: 'x' },
    },
    { kind: 'edit', title: 'mcp__svc_manage__list_triggers', locations: [{ path: 'a' }] },
    { kind: 'other', title: 'svc_manage_list_triggers; rm -rf x' },
    { kind: 'other', title: 'Read' },
    { kind: 'other', title: 'Something new' },
    { kind: 'from_the_future', title: 'x' },
    { title: 'Read' },
    { kind: 'switch_mode', title: 'Read', name: 'read' },
  ])('for %j is not granted because of a name that the model may have written', (call) =>
    inFolder(async (cwd) => {
      const tools = ['Read', 'mcp__svc_manage__list_triggers'];
      const { answer, done, ran } = await requestPermission(cwd, call, { tools });
      expect(answer).toEqual(NO);
      expect(done).toBe(false);
      expect(ran.end.outcome).toBe('denied');
    }),
  );

  it('is decided with the fields that were reported before the request', () =>
    inFolder(async (cwd) => {
      const { answer } = await requestPermission(cwd, {}, { tools: ['Read'], before: shell });
      expect(answer).toEqual(NO);
    }));

  it('is granted to a keeper for unknown tools, except in permission mode plan', () =>
    inFolder(async (cwd) => {
      const call = { kind: 'other', title: 'Something new' };
      expect((await requestPermission(cwd, call, { runsAs: 'keeper' })).answer).toEqual(ONCE);
      const place = join(cwd, 'plan');
      mkdirSync(place);
      const planning = { runsAs: 'keeper', permissionMode: 'plan' } as const;
      expect((await requestPermission(place, call, planning)).answer).toEqual(NO);
    }));

  it('to change the mode of the agent is always refused', () =>
    inFolder(async (cwd) => {
      const call = { kind: 'switch_mode', name: 'read', title: 'Yolo' };
      const { answer, ran } = await requestPermission(cwd, call, {
        runsAs: 'keeper',
        tools: ['Read'],
      });
      expect(answer).toEqual(NO);
      const reason = 'An agent must not change its own mode.';
      expect(ran.end.denied).toEqual([{ tool: 'read', reason }]);
    }));

  it('is refused in permission mode plan for tools that do more than read', () =>
    inFolder(async (cwd) => {
      const { ran, done } = await requestPermission(cwd, shell, {
        tools: ['Bash'],
        permissionMode: 'plan',
      });
      expect(done).toBe(false);
      expect(ran.end.reason).toBe(
        'Bash was refused: Bash is not allowed in permission mode plan, which is read-only.',
      );
    }));

  it('is refused for child turns at the maximum spawn depth', () =>
    inFolder(async (cwd) => {
      const { done } = await requestPermission(
        cwd,
        { kind: 'think', title: 'x' },
        { tools: ['Task'], depth: 1 },
      );
      expect(done).toBe(false);
    }));

  it('is never granted permanently', () =>
    inFolder(async (cwd) => {
      const options = [
        { optionId: 'always', name: 'a', kind: 'allow_always' },
        { optionId: 'no', name: 'n', kind: 'reject_once' },
      ];
      const { answer, done } = await requestPermission(cwd, shell, { tools: ['Bash'], options });
      expect(answer).toEqual(NO);
      expect(done).toBe(false);
      const place = join(cwd, 'none');
      mkdirSync(place);
      const never = [{ optionId: 'never', name: 'n', kind: 'reject_always' }];
      expect((await requestPermission(place, shell, { tools: [], options: never })).answer).toEqual(
        {
          outcome: 'cancelled',
        },
      );
    }));

  it.each([
    ['../outside.txt', 'is outside the project folder.'],
    ['/etc/hostname', 'is outside the project folder.'],
    ['link/secret.txt', 'is outside the project folder.'],
    ['loop/x', 'is outside the project folder.'],
    ['project.yaml', 'File tools may not write project.yaml.'],
    ['Project.YAML', 'File tools may not write project.yaml.'],
    ['sub/.git/config', 'File tools may not write in .git/.'],
    ['.claude/settings.json', 'File tools may not write in .claude/.'],
    ['.svc/OVERVIEW.md', 'Only the keeper may write in .svc/.'],
  ])('to write %s is refused for every tool list', (path, reason) =>
    inFolder(async (base) => {
      const cwd = join(base, 'project');
      mkdirSync(cwd);
      symlinkSync('..', join(cwd, 'link'));
      symlinkSync('loop', join(cwd, 'loop'));
      const tools = ['Read', 'Edit', 'Write'];
      const { ran, done } = await requestPermission(cwd, write(path), { tools });
      expect(done).toBe(false);
      expect(ran.end.reason).toContain(reason);
    }),
  );

  it('to read or write in the folder is granted for any path that stays inside', () =>
    inFolder(async (cwd) => {
      const paths = ['a.md', 'new/folder/a.md', join(cwd, 'a.md'), `sub/../${'a.md'}`];
      for (const [i, path] of paths.entries()) {
        const { answer } = await requestPermission(cwd, write(path), { tools: ['Write'] });
        expect([i, answer]).toEqual([i, ONCE]);
        // The agent appends to this file.
        rmSync(join(cwd, 'answers'));
      }
    }));

  it('to read outside the folder or to write an unnamed file is refused', () =>
    inFolder(async (cwd) => {
      const outside = { kind: 'read', title: 'x', rawInput: { path: '/etc/hostname' } };
      expect((await requestPermission(cwd, outside, { tools: ['Read'] })).done).toBe(false);
      const place = join(cwd, 'b');
      mkdirSync(place);
      const { ran } = await requestPermission(
        place,
        { kind: 'edit', title: 'x' },
        { tools: ['Edit', 'Write'] },
      );
      expect(ran.end.reason).toBe('Edit was refused: The agent did not name the file to write.');
    }));
});

describe('after a refusal,', () => {
  const refused = { ask: { toolCallId: 'a', ...shell } };
  const run = (cwd: string, ...list: object[]) => {
    const capability = { tools: ['Read'] };
    return runTurn(makeRuntime(agent()), makeSpec(cwd, { prompt: steps(...list), capability }));
  };

  it('a turn with a later successful call succeeds', () =>
    inFolder(async (cwd) => {
      const read = { toolCallId: 'b', kind: 'read', title: 'x', locations: [{ path: 'a.md' }] };
      const { end } = await run(cwd, refused, { ask: read }, { say: 'Done.' });
      expect(end).toMatchObject({ outcome: 'succeeded', denied: [{ tool: 'Bash' }] });
    }));

  it('a turn that the agent cancels is denied', () =>
    inFolder(async (cwd) => {
      const { end } = await run(cwd, refused, { end: { stopReason: 'cancelled' } });
      expect(end).toMatchObject({
        outcome: 'denied',
        reason: 'Bash was refused: The Bash tool is not available in this turn.',
      });
    }));

  it('a call without a permission request is reported', () =>
    inFolder(async (cwd) => {
      const call = { sessionUpdate: 'tool_call', toolCallId: 'c', status: 'completed', ...shell };
      const { notices } = await run(cwd, { update: call }, { say: 'Done.' });
      expect(notices).toEqual([
        'The agent used Bash without asking, although this turn does not list it.',
      ]);
    }));
});

// proves: external.acp.permission
describe('other client methods', () => {
  it.each(['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'elicitation/create'])(
    'do not include %s',
    (method) =>
      inFolder(async (cwd) => {
        const params = { sessionId: 's-1', path: join(cwd, 'x'), content: 'x', command: 'id' };
        const prompt = steps({ request: { method, params } });
        const { texts } = await runTurn(makeRuntime(agent()), makeSpec(cwd, { prompt }));
        expect(JSON.parse(texts.join(''))).toMatchObject({ error: { code: -32601 } });
        expect(existsSync(join(cwd, 'x'))).toBe(false);
      }),
  );
});
