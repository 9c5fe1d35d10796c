import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import {
  canaryCases,
  createPlaybook,
  type FenceMemory,
  type FenceVerdict,
  rememberedFence,
  tryFence,
} from '@svc/agent-runtime';
import { playbookOf } from '@svc/agent-runtime/testing';
import { GRANTABLE_TOOLS } from '@svc/records';
import { says, withEndpoint } from './endpoint-fixture.ts';
import { OPERATIONS } from './operations.ts';
import { chatModel, inFolder, makeRuntime, sameUser } from './support.ts';

function memory(): FenceMemory & { readonly kept: Map<string, FenceVerdict> } {
  const kept = new Map<string, FenceVerdict>();
  return {
    kept,
    get: async (key) => kept.get(key) ?? null,
    set: async (key, verdict) => void kept.set(key, verdict),
  };
}

// proves: native.fence.canary
describe('the canary', () => {
  it.each([
    ['a playbook', 'native 1.2.3 playbook'],
    ['a model', 'native 1.2.3 chat'],
  ])('holds with %s, asks no model, and is remembered with its version', async (what, key) => {
    await withEndpoint([says('Done.')], async (baseUrl, asked) => {
      const remember = memory();
      const model = what === 'a model' ? chatModel(baseUrl) : createPlaybook();
      const make = () => makeRuntime({ model }, { canary: { version: '1.2.3', remember } });
      const runtime = make();
      expect(await runtime.fence?.()).toEqual({ holds: true });
      expect(asked).toEqual([]);
      expect([...remember.kept]).toEqual([[key, { holds: true }]]);
      remember.kept.set(key, { holds: true });
      const gone = { ...remember, set: () => Promise.reject(new Error('tried again')) };
      const later = makeRuntime({ model }, { canary: { version: '1.2.3', remember: gone } });
      expect(await later.fence?.()).toEqual({ holds: true });
    });
  });

  it('finds nothing wrong where an operator lets WebFetch reach this machine', async () => {
    const runtime = makeRuntime({}, { webFetch: { allowHosts: ['127.0.0.1'] } });
    expect(await runtime.fence?.()).toEqual({ holds: true });
  });

  it('holds where files are worked on by another process', async () => {
    const remember = memory();
    const canary = { version: '1.2.3', remember };
    const runtime = makeRuntime({}, { user: sameUser, canary });
    expect(await runtime.fence?.()).toEqual({ holds: true });
    expect([...remember.kept.keys()]).toEqual(['native 1.2.3 playbook tester']);
  });

  it('leaves no folder behind', async () => {
    const given = process.env['TMPDIR'];
    await inFolder(async (folder) => {
      process.env['TMPDIR'] = folder;
      try {
        expect(await makeRuntime().fence?.()).toEqual({ holds: true });
        expect(await readdir(folder)).toEqual([]);
      } finally {
        if (given === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = given;
      }
    });
  });

  it('tells what got through', async () => {
    const runtime = makeRuntime();
    const open = {
      ...runtime,
      start: (spec: Parameters<typeof runtime.start>[0], signal: AbortSignal) =>
        runtime.start(
          { ...spec, capability: { ...spec.capability, tools: GRANTABLE_TOOLS } },
          signal,
        ),
    };
    const verdict = await tryFence(
      { runtime: open, promptOf: playbookOf },
      canaryCases(OPERATIONS),
    );
    expect(verdict).toMatchObject({ holds: false });
    expect(verdict.holds || verdict.reason).toMatch(
      /^“runs no command without Bash” does not hold: /,
    );
  });

  it('says so where it cannot be tried', async () => {
    const subject = {
      runtime: makeRuntime(),
      promptOf: () => Promise.reject(new Error('no agent here')),
    };
    expect(await tryFence(subject, canaryCases(OPERATIONS))).toEqual({
      holds: false,
      reason: 'It could not be tried: no agent here.',
    });
  });
});

describe('a remembered fence', () => {
  it('is tried once, and again by the next process where it did not hold', async () => {
    const remember = memory();
    let tried = 0;
    const verdicts: FenceVerdict[] = [{ holds: false, reason: 'No.' }, { holds: true }];
    const make = () =>
      rememberedFence(remember, 'x 1', async () => {
        tried += 1;
        return verdicts[tried - 1] ?? { holds: false, reason: 'Tried too often.' };
      });
    const first = make();
    expect(await Promise.all([first(), first()])).toEqual([verdicts[0], verdicts[0]]);
    expect([tried, remember.kept.size]).toEqual([1, 0]);
    expect(await make()()).toEqual({ holds: true });
    expect(await make()()).toEqual({ holds: true });
    expect(tried).toBe(2);
  });

  it('is tried where nothing can be remembered', async () => {
    const broken: FenceMemory = {
      get: () => Promise.reject(new Error('no store')),
      set: () => Promise.reject(new Error('no store')),
    };
    expect(await rememberedFence(broken, 'x', async () => ({ holds: true }))()).toEqual({
      holds: true,
    });
    expect(await rememberedFence(undefined, 'x', async () => ({ holds: true }))()).toEqual({
      holds: true,
    });
  });
});
