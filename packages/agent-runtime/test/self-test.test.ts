import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import {
  cachedSelfTest,
  createPlaybook,
  runSelfTest,
  type SelfTestCache,
  type SelfTestResult,
  selfTestCases,
} from '@svc/agent-runtime';
import { playbookOf } from '@svc/agent-runtime/testing';
import { GRANTABLE_TOOLS } from '@svc/records';
import { says, withEndpoint } from './endpoint-fixture.ts';
import { OPERATIONS } from './operations.ts';
import { chatModel, inFolder, makeRuntime, reaching, sameUser } from './support.ts';

function fakeCache(): SelfTestCache & { readonly entries: Map<string, SelfTestResult> } {
  const entries = new Map<string, SelfTestResult>();
  return {
    entries,
    get: async (key) => entries.get(key) ?? null,
    set: async (key, verdict) => void entries.set(key, verdict),
  };
}

// proves: native.fence.canary
describe('the self-test', () => {
  it.each([
    ['a playbook', 'native 1.2.3 playbook'],
    ['a model', 'native 1.2.3 chat'],
  ])('passes with %s, calls no model, and is cached with its version', async (what, key) => {
    await withEndpoint([says('Done.')], async (baseUrl, asked) => {
      const cache = fakeCache();
      const model = what === 'a model' ? chatModel(baseUrl) : createPlaybook();
      const make = () => makeRuntime({ model }, { selfTest: { version: '1.2.3', cache } });
      const runtime = make();
      expect(await runtime.selfTest?.()).toEqual({ passed: true });
      expect(asked).toEqual([]);
      expect([...cache.entries]).toEqual([[key, { passed: true }]]);
      cache.entries.set(key, { passed: true });
      const gone = { ...cache, set: () => Promise.reject(new Error('run again')) };
      const later = makeRuntime({ model }, { selfTest: { version: '1.2.3', cache: gone } });
      expect(await later.selfTest?.()).toEqual({ passed: true });
    });
  });

  it('passes if WebFetch is allowed to reach this machine', async () => {
    const runtime = makeRuntime(...reaching('127.0.0.1'));
    expect(await runtime.selfTest?.()).toEqual({ passed: true });
  });

  it('passes if another process handles the files', async () => {
    const cache = fakeCache();
    const selfTest = { version: '1.2.3', cache };
    const runtime = makeRuntime({}, { user: sameUser, selfTest });
    expect(await runtime.selfTest?.()).toEqual({ passed: true });
    expect([...cache.entries.keys()]).toEqual(['native 1.2.3 playbook tester']);
  });

  it('leaves no folder behind', async () => {
    const given = process.env['TMPDIR'];
    await inFolder(async (folder) => {
      process.env['TMPDIR'] = folder;
      try {
        expect(await makeRuntime().selfTest?.()).toEqual({ passed: true });
        expect(await readdir(folder)).toEqual([]);
      } finally {
        if (given === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = given;
      }
    });
  });

  it('reports the check that failed', async () => {
    const runtime = makeRuntime();
    const open = {
      ...runtime,
      start: (spec: Parameters<typeof runtime.start>[0], signal: AbortSignal) =>
        runtime.start(
          { ...spec, capability: { ...spec.capability, tools: GRANTABLE_TOOLS } },
          signal,
        ),
    };
    const verdict = await runSelfTest(
      { runtime: open, promptOf: playbookOf },
      selfTestCases(OPERATIONS),
    );
    expect(verdict).toMatchObject({ passed: false });
    expect(verdict.passed || verdict.reason).toMatch(
      /^Check “runs no command without Bash” failed: /,
    );
  });

  it('reports if it cannot run', async () => {
    const subject = {
      runtime: makeRuntime(),
      promptOf: () => Promise.reject(new Error('no agent here')),
    };
    expect(await runSelfTest(subject, selfTestCases(OPERATIONS))).toEqual({
      passed: false,
      reason: 'The self-test could not run: no agent here.',
    });
  });
});

describe('a cached self-test', () => {
  it('runs once, and again in the next process if it failed', async () => {
    const cache = fakeCache();
    let tried = 0;
    const verdicts: SelfTestResult[] = [{ passed: false, reason: 'No.' }, { passed: true }];
    const make = () =>
      cachedSelfTest(cache, 'x 1', async () => {
        tried += 1;
        return verdicts[tried - 1] ?? { passed: false, reason: 'Run too often.' };
      });
    const first = make();
    expect(await Promise.all([first(), first()])).toEqual([verdicts[0], verdicts[0]]);
    expect([tried, cache.entries.size]).toEqual([1, 0]);
    expect(await make()()).toEqual({ passed: true });
    expect(await make()()).toEqual({ passed: true });
    expect(tried).toBe(2);
  });

  it('runs if nothing can be cached', async () => {
    const broken: SelfTestCache = {
      get: () => Promise.reject(new Error('no store')),
      set: () => Promise.reject(new Error('no store')),
    };
    expect(await cachedSelfTest(broken, 'x', async () => ({ passed: true }))()).toEqual({
      passed: true,
    });
    expect(await cachedSelfTest(undefined, 'x', async () => ({ passed: true }))()).toEqual({
      passed: true,
    });
  });
});
