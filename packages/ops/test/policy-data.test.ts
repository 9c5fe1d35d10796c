import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { failure, success } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { type Services, TABLE, USER } from '@svc/ops';
import { createGate } from '../src/gate.ts';
import { createAccess } from '../src/operations/access.ts';
import type { OperationPolicy, OperationRow } from '../src/operations/operation.ts';
import { ALL, NEVER } from './calls.ts';

/** One operation with the given policy, behind the gate that all of them stand behind. */
function gate(policy: unknown, { refuses = false } = {}) {
  let ran = 0;
  let lookedUp = 0;
  const row: OperationRow = {
    name: 'list_projects',
    summary: 'Counts.',
    policy: policy as OperationPolicy,
    input: { type: 'object', additionalProperties: false, properties: {} },
    output: null,
    http: null,
    tool: {
      title: 'Probe',
      description: 'Counts.',
      destructive: false,
      idempotent: true,
      openWorld: false,
      output: { type: 'object' },
    },
    run: async () => {
      ran += 1;
      return success({ projects: [] });
    },
    toToolResult: () => ({}),
    toReply: () => ({ body: {} }),
  };
  const targets = {
    find: async () => (refuses ? failure(DENIED) : success({ slugs: [], named: null })),
    named: async () => {
      lookedUp += 1;
      return { project: null, target: null };
    },
  };
  const clock = createFakeClock(0);
  const operations = createGate(
    {
      logger: createMemoryLogger(),
      clock,
      connectivity: { fault: null, quietMs: 0, subscribe: () => () => {} },
      access: createAccess([row]),
      targets,
      services: {} as Services,
      tools: [],
    },
    [row],
  );
  return {
    visible: () => operations.visible(USER).length,
    call: () => operations.call(USER, 'list_projects', {}, { signal: NEVER }),
    callTool: (caller = USER) =>
      operations.callTool(caller, 'list_projects', {}, { signal: NEVER }),
    ran: () => ran,
    lookedUp: () => lookedUp,
    rest: () => clock.yield(),
  };
}

const DENIED = { code: 'not_permitted', message: 'No.' } as const;

const SOUND = { effect: 'reads', target: 'enumerates', gate: 'read', runsCode: false };

it('an operation with a policy runs', async () => {
  const { visible, call, callTool, ran } = gate(SOUND);
  const answers = [(await call()).ok, (await callTool()).ok, (await callTool(ALL)).ok];
  expect([visible(), answers, ran()]).toEqual([1, [true, true, true], 3]);
});

// proves: policy.in-operations
it.each<[string, unknown]>([
  ['no policy', undefined],
  ['an empty policy', {}],
  ['no effect', { ...SOUND, effect: undefined }],
  ['no target', { ...SOUND, target: undefined }],
  ['an unknown effect', { ...SOUND, effect: 'harmless' }],
  ['an unknown target', { ...SOUND, target: 'anything' }],
  ['no gate', { ...SOUND, gate: undefined }],
  ['an unknown gate', { ...SOUND, gate: 'open' }],
])('an operation with %s is refused, even to those who may do everything', async (_, policy) => {
  const { visible, call, callTool, ran } = gate(policy);
  expect(visible()).toBe(0);
  expect(await call()).toMatchObject({ error: { code: 'unknown_operation' } });
  expect(await callTool()).toMatchObject({ error: { code: 'unknown_operation' } });
  expect(ran()).toBe(0);
});

it('an operation that is for people alone does not exist for clients, whatever they are allowed', async () => {
  const { call, callTool, ran } = gate({ ...SOUND, gate: null });
  expect((await call()).ok).toBe(true);
  expect(await callTool(ALL)).toMatchObject({ error: { code: 'unknown_operation' } });
  expect(ran()).toBe(1);
});

it('what a refused call was about is looked up for the log once the caller has the answer', async () => {
  const { callTool, lookedUp, rest } = gate(SOUND, { refuses: true });
  expect(await callTool()).toMatchObject({ error: { code: 'not_permitted' } });
  await Promise.resolve();
  expect(lookedUp()).toBe(0);
  await rest();
  expect(lookedUp()).toBe(1);
});

it.each(TABLE)('$name is a tool exactly where a switch gives it to keepers', ({ tool, policy }) => {
  expect(tool !== null).toBe(policy.gate !== null);
});

it('an operation requires only operations that exist', () => {
  const names = new Set<string>(TABLE.map(({ name }) => name));
  const needed = TABLE.flatMap(({ policy }) => policy.needs ?? []);
  expect(needed.filter((name) => !names.has(name))).toEqual([]);
  expect(needed).toContain('fork_chat');
});

it('the list of operations has every file that defines one', () => {
  const script = new URL('../scripts/write-operations.mjs', import.meta.url).pathname;
  expect(() => execFileSync(process.execPath, [script, '--check'])).not.toThrow();
});
