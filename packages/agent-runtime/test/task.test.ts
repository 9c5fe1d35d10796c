import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MANAGE_PREFIX } from '@svc/records';
import { bash, inFolder, play, step } from './support.ts';

const task = (prompt: string, description?: string): string =>
  step('Task', { prompt, description });

describe('Task', () => {
  it('runs a child turn in the same transcript and returns its last text', async () => {
    await inFolder(async (folder) => {
      const child = `Working.\n${bash('echo hello')}All done.`;
      const { end, messages } = await play(folder, `${task(child, 'say hello')}Thanks.`);
      expect(messages.map(({ kind, text }) => [kind, text])).toEqual([
        ['tool_use', ''],
        ['notice', 'Child turn: say hello'],
        ['text', 'Working.'],
        ['tool_use', ''],
        ['tool_result', 'hello\n'],
        ['text', 'All done.'],
        ['notice', 'Child turn ended: succeeded.'],
        ['tool_result', 'All done.'],
        ['text', 'Thanks.'],
      ]);
      expect(end).toMatchObject({ outcome: 'succeeded', turns: 2, toolCalls: 2 });
    });
  });

  it('passes on a failure of the child', async () => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, task(bash('exit 4')));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'Step 1 (Task) failed: Step 1 (Bash) failed: exit code 4',
      });
      const free = await play(folder, task('Think about it.'));
      expect(free.end.outcome).toBe('failed');
      expect(free.end.reason).toMatch(
        /^Step 1 \(Task\) failed: The model is playbook, which only runs steps/,
      );
    });
  });

  it('limits the child to the same tools, and records refused calls', async () => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, task(bash('touch x')), {
        capability: { tools: ['Task', 'Read'] },
      });
      expect(end).toMatchObject({
        outcome: 'denied',
        denied: [{ tool: 'Bash', reason: 'The Bash tool is not available in this turn.' }],
        toolCalls: 2,
      });
      const away = await play(folder, task(step('Read', { file_path: '../x' })));
      expect(away.end.outcome).toBe('denied');
    });
  });

  it('counts the child’s model calls against the limit of the turn', async () => {
    await inFolder(async (folder) => {
      const child = bash('touch one') + bash('touch two') + bash('touch three');
      const { end } = await play(folder, task(child) + bash('touch after'), {
        limits: { maxTurns: 3 },
      });
      expect(end).toMatchObject({ outcome: 'max_turns', turns: 3 });
      await readFile(join(folder, 'two'));
      await expect(readFile(join(folder, 'three'))).rejects.toThrow();
    });
  });

  // proves: run.max-spawn-depth.bounds
  it.each([
    [0, 'denied', 0],
    [1, 'denied', 1],
    [2, 'succeeded', 2],
    [3, 'succeeded', 2],
  ])('nests up to a spawn depth of %d', async (maxSpawnDepth, outcome, notices) => {
    await inFolder(async (folder) => {
      const { end, messages } = await play(folder, task(task(bash('true'))), {
        capability: { maxSpawnDepth },
      });
      expect(end.outcome).toBe(outcome);
      const started = messages.filter(({ text }) => text === 'Child turn.');
      expect(started).toHaveLength(notices);
    });
  });

  it('gives the child no operations that start turns, because their depth would be wrong', async () => {
    await inFolder(async (folder) => {
      const name = `${MANAGE_PREFIX}create_chat`;
      const toolset = {
        tools: [{ name, description: '', inputSchema: { type: 'object' }, reads: false }],
        call: async () => ({ text: 'made', isError: false }),
      };
      const parts = { toolset, capability: { maxSpawnDepth: 5 } };
      expect((await play(folder, step(name, {}), parts)).end.outcome).toBe('succeeded');
      expect((await play(folder, task(step(name, {})), parts)).end.outcome).toBe('denied');
    });
  });

  it('names the invalid field of an input', async () => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, step('Task', { description: 'x' }));
      expect(end.reason).toContain('prompt is required.');
    });
  });
});
