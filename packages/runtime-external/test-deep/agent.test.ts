import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import {
  eventCases,
  type FenceCall,
  type FenceSubject,
  runFenceCase,
} from '@svc/agent-runtime/testing';
import { GRANTABLE_TOOLS } from '@svc/records';
import {
  inFolder,
  isRunning,
  makeRuntime,
  makeSpec,
  pidIn,
  type Ran,
  recordingToolset,
  runTurn,
  type SpecParts,
  until,
} from '../test/support.ts';

const AGENT = new URL('scripted-agent.mjs', import.meta.url).pathname;

const stepOf = ({ name, input }: FenceCall): Step => {
  const { file_path: path, ...rest } = input as { readonly file_path?: string };
  return [name, path === undefined ? rest : { path, ...rest }];
};

type Step = readonly [what: string, value?: unknown];

const runtimeIn = (base: string) =>
  makeRuntime({ protocol: 'acp', command: process.execPath, args: [AGENT, base] });

/** Runs a turn of the agent in a project folder below `base`, in which the agent stores its sessions. */
async function run(base: string, list: readonly Step[], parts: SpecParts = {}): Promise<Ran> {
  const cwd = join(base, 'project');
  mkdirSync(cwd, { recursive: true });
  return runTurn(runtimeIn(base), makeSpec(cwd, { ...parts, prompt: JSON.stringify(list) }));
}

const linesOf = ({ texts }: Ran): string[] => texts.join('\n').split('\n');

describe('an agent that uses the official libraries', () => {
  it('uses the listed tools', () =>
    inFolder(async (base) => {
      const ran = await run(base, [
        ['say', 'I begin.'],
        ['Write', { path: 'note.md', content: 'It ran.\n' }],
        ['Read', { path: 'note.md' }],
        ['Bash', { command: 'echo $SVC_TURN_ID' }],
      ]);
      expect(ran.called).toEqual(['Write', 'Read', 'Bash']);
      expect(ran.end).toMatchObject({ outcome: 'succeeded', turns: 4, toolCalls: 3, denied: [] });
      expect(readFileSync(join(base, 'project/note.md'), 'utf8')).toBe('It ran.\n');
    }));

  it.each<[string, object]>([
    ['Write', { path: 'note.md', content: 'x' }],
    ['Bash', { command: 'echo x > note.md' }],
    ['Odd', {}],
  ])('cannot use %s if the turn does not list it', (tool, input) =>
    inFolder(async (base) => {
      const tools = GRANTABLE_TOOLS.filter((name) => name !== tool);
      const ran = await run(base, [[tool, input]], { capability: { tools } });
      expect(linesOf(ran)).toContain('refused');
      expect(ran.end).toMatchObject({ outcome: 'denied', denied: [expect.anything()] });
      expect(existsSync(join(base, 'project/note.md'))).toBe(false);
    }),
  );

  it('cannot access files outside the folder or write protected files', () =>
    inFolder(async (base) => {
      writeFileSync(join(base, 'secret.txt'), 'secret-4b1d');
      const ran = await run(base, [
        ['Write', { path: '../outside.md', content: 'x' }],
        ['Write', { path: 'project.yaml', content: 'x' }],
        ['Read', { path: '../secret.txt' }],
      ]);
      expect(linesOf(ran)).toEqual(['refused', 'refused', 'refused']);
      expect(existsSync(join(base, 'outside.md'))).toBe(false);
      expect(existsSync(join(base, 'project/project.yaml'))).toBe(false);
      expect(JSON.stringify(ran.messages)).not.toContain('secret-4b1d');
      expect(ran.end.denied).toHaveLength(3);
    }));

  it('has the listed operations, through its own MCP client', () =>
    inFolder(async (base) => {
      const toolset = recordingToolset();
      const listed = 'mcp__svc_manage__list_triggers';
      const steps: Step[] = [
        ['operations'],
        ['operation', { name: 'list_triggers', arguments: { name: 'x' } }],
        ['operation', { name: 'set_trigger', arguments: {} }],
      ];
      const ran = await run(base, steps, { toolset, capability: { tools: [listed] } });
      const [names, done = '', refused = ''] = linesOf(ran);
      expect(names).toBe('list_triggers');
      expect(JSON.parse(done)).toMatchObject({ isError: false });
      expect(JSON.parse(refused)).toMatchObject({
        content: [{ text: 'Unknown tool: set_trigger' }],
        isError: true,
      });
      expect(toolset.calls).toEqual([`${listed} {"name":"x"}`]);
      expect(ran.end.outcome).toBe('denied');
    }));

  it('has no operations if the turn has none', () =>
    inFolder(async (base) => {
      expect(linesOf(await run(base, [['operations']], { toolset: null }))).toEqual(['none']);
    }));

  // proves: events.data.opaque
  it.each(eventCases().map((one) => [one.name, one] as const))('%s', (_, eventCase) =>
    inFolder(async (base) => {
      const transcripts = () =>
        readdirSync(base).map((name) => readFileSync(join(base, name), 'utf8'));
      const subject: FenceSubject = {
        runtime: runtimeIn(base),
        promptOf: (calls) => JSON.stringify(calls.map(stepOf)),
        requests: () => transcripts().join('\n'),
      };
      expect(await runFenceCase(subject, eventCase)).toEqual([]);
      expect(subject.requests?.()).toContain('started this turn');
    }),
  );

  it('continues its session in a later turn', () =>
    inFolder(async (base) => {
      const first = await run(base, [['say', 'My number is 41.']]);
      const [ref = ''] = first.sessions;
      const second = await run(base, [['remember']], { resume: { ref, fork: false } });
      expect(second.sessions).toEqual([]);
      expect(linesOf(second).join()).toContain('My number is 41.');
      const lost = await run(base, [['say', 'Hm.']], { resume: { ref: 'lost', fork: false } });
      expect(lost.sessions).toHaveLength(1);
      expect(lost.end.outcome).toBe('succeeded');
    }));

  it('kills its command and the processes of the command when it is cancelled', () =>
    inFolder(async (base) => {
      const cwd = join(base, 'project');
      mkdirSync(cwd);
      const command = 'setsid sleep 300 & echo $! > pid; sleep 300';
      const prompt = JSON.stringify([['Bash', { command }]]);
      const stop = new AbortController();
      const turn = runTurn(runtimeIn(base), makeSpec(cwd, { prompt }), stop.signal);
      await until(() => pidIn(join(cwd, 'pid')) > 0);
      stop.abort(new TurnStop('cancelled', 'A user cancelled it.'));
      const { end } = await turn;
      expect(end).toMatchObject({ outcome: 'cancelled', reason: 'A user cancelled it.' });
      expect(isRunning(pidIn(join(cwd, 'pid')))).toBe(false);
    }));

  it('is stopped at the limit of model calls', () =>
    inFolder(async (base) => {
      const steps: Step[] = ['a', 'b', 'c'].map((name) => ['Write', { path: name, content: 'x' }]);
      const ran = await run(base, steps, { limits: { maxTurns: 2 } });
      expect(ran.end).toMatchObject({ outcome: 'max_turns', turns: 2 });
      expect(existsSync(join(base, 'project/c'))).toBe(false);
    }));

  it('runs ten turns at once without interference', () =>
    inFolder(async (base) => {
      const turns = Array.from({ length: 10 }, (_, i) => {
        const toolset = recordingToolset();
        const steps: Step[] = [
          ['operation', { name: 'set_trigger', arguments: { name: `n${i}` } }],
          ['Write', { path: `${i}.md`, content: `${i}` }],
        ];
        return run(base, steps, { toolset }).then((ran) => [ran.end.outcome, toolset.calls]);
      });
      const expected = Array.from({ length: 10 }, (_, i) => [
        'succeeded',
        [`mcp__svc_manage__set_trigger {"name":"n${i}"}`],
      ]);
      expect(await Promise.all(turns)).toEqual(expected);
    }));
});
