import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import type { ScriptedModel } from '@svc/runtime-claude/testing';
import { makeSpec, runTurn } from '../test/support.ts';
import { inWorld } from './world.ts';

const knows = ({ requests }: ScriptedModel, text: string): boolean =>
  JSON.stringify(requests[0]?.body).includes(text);

// proves: claude.sessions
describe('a session', () => {
  it('is resumed by a later turn, whose cost excludes earlier turns', async () => {
    await inWorld(async ({ model, project, runtime, createRuntime }) => {
      model.script([{ text: 'The word is heron.' }]);
      const first = await runTurn(runtime, makeSpec(project));
      const ref = first.sessions[0] ?? '';
      for (const later of [runtime, createRuntime()]) {
        model.script([{ text: 'I know.' }]);
        const spec = makeSpec(project, { resume: { ref, fork: false } });
        const ran = await runTurn(later, spec);
        expect(knows(model, 'The word is heron.')).toBe(true);
        expect(ran.sessions).toEqual([ref]);
        expect(ran.end).toMatchObject({
          outcome: 'succeeded',
          tokensIn: 1300,
          tokensOut: 50,
          costMicrousd: first.end.costMicrousd,
        });
      }
    });
  });

  it('is unchanged when a copy of it is resumed', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([{ text: 'The word is heron.' }]);
      const first = await runTurn(runtime, makeSpec(project));
      const ref = first.sessions[0] ?? '';
      model.script([{ text: 'The other word is stork.' }]);
      const spec = makeSpec(project, { resume: { ref, fork: true } });
      const copy = await runTurn(runtime, spec);
      expect(knows(model, 'heron')).toBe(true);
      expect(copy.sessions).toEqual([spec.sessionId]);
      expect(copy.end.costMicrousd).toBe(first.end.costMicrousd);
      model.script([{ text: 'I know.' }]);
      await runTurn(runtime, makeSpec(project, { resume: { ref, fork: false } }));
      expect([knows(model, 'heron'), knows(model, 'stork')]).toEqual([true, false]);
    });
  });

  it('is replaced with a notice if it no longer exists', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      for (const ref of [newId(), '../../etc/passwd']) {
        model.script([{ text: 'Hello.' }]);
        const spec = makeSpec(project, { resume: { ref, fork: false } });
        const { messages, sessions, end } = await runTurn(runtime, spec);
        expect(messages.map(({ kind }) => kind)).toEqual(['notice', 'text']);
        expect(sessions).toEqual([spec.sessionId]);
        expect(end.outcome).toBe('succeeded');
      }
    });
  });

  it('gets another id if an unreported turn left its id in use', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      const sessionId = newId();
      model.script([{ text: 'One.' }, { text: 'Two.' }]);
      await runTurn(runtime, makeSpec(project, { sessionId }));
      const { end, sessions } = await runTurn(runtime, makeSpec(project, { sessionId }));
      expect(end.outcome).toBe('succeeded');
      expect(sessions).not.toContain(sessionId);
    });
  });

  it('is not used by two turns at once', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([{ text: 'The word is heron.' }]);
      const { sessions } = await runTurn(runtime, makeSpec(project));
      const resume = { ref: sessions[0] ?? '', fork: false };
      model.script([{ text: 'First.' }, { text: 'Second.' }]);
      const ends = await Promise.all(
        [1, 2].map(() => runTurn(runtime, makeSpec(project, { resume }))),
      );
      expect(ends.map(({ texts }) => texts)).toEqual([['First.'], ['Second.']]);
      expect(JSON.stringify(model.requests[1]?.body)).toContain('First.');
    });
  });

  it('lets the agent read its stored long results', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      await writeFile(join(project, 'long.txt'), 'line of text\n'.repeat(9000));
      model.script([{ calls: [{ name: 'Bash', input: { command: 'cat long.txt' } }] }]);
      const { results, sessions } = await runTurn(runtime, makeSpec(project));
      const path = /\/\S+\/tool-results\/[\w-]+\.txt/.exec(results[0] ?? '')?.[0] ?? '';
      expect(path).toContain(sessions[0]);
      model.script([{ calls: [{ name: 'Read', input: { file_path: path, limit: 3 } }] }]);
      const resume = { ref: sessions[0] ?? '', fork: false };
      const later = await runTurn(runtime, makeSpec(project, { resume }));
      expect(later.end).toMatchObject({ outcome: 'succeeded', denied: [] });
      expect(later.results[0]).toContain('line of text');
    });
  });
});
