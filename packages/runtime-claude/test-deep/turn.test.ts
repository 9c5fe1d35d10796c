import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeSpec, runTurn } from '../test/support.ts';
import { inWorld } from './world.ts';

describe('a turn', () => {
  it('works in the project folder and tells its messages as they happen', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      await writeFile(join(project, 'a.txt'), 'old\n');
      model.script([
        { text: 'I look.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
        {
          calls: [{ name: 'Write', input: { file_path: join(project, 'b.txt'), content: 'new' } }],
        },
        { text: 'It is done.' },
      ]);
      const spec = makeSpec(project);
      const { end, messages, sessions, said } = await runTurn(runtime, spec);
      expect(end).toMatchObject({
        outcome: 'succeeded',
        reason: null,
        turns: 3,
        toolCalls: 2,
        denied: [],
        tokensIn: 3900,
        tokensOut: 150,
      });
      expect(messages.map(({ kind, tool }) => [kind, tool?.name])).toEqual([
        ['text', undefined],
        ['tool_use', 'Read'],
        ['tool_result', 'Read'],
        ['tool_use', 'Write'],
        ['tool_result', 'Write'],
        ['text', undefined],
      ]);
      expect(said).toEqual(['I look.', 'It is done.']);
      expect(sessions).toEqual([spec.sessionId]);
      expect(await readFile(join(project, 'b.txt'), 'utf8')).toBe('new');
    });
  });

  it('finds that the fence holds', async () => {
    await inWorld(async ({ runtime }) => {
      expect(await runtime.fence?.()).toEqual({ holds: true });
    });
  });
});
