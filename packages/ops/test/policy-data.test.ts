import { expect, it } from '@jest/globals';
import { success } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { type Operation, USER } from '@svc/ops';
import { createAccess } from '../src/operations/access.ts';
import { defineOperation } from '../src/operations/operation.ts';
import { createOperations } from '../src/operations/operations.ts';
import { NEVER } from './calls.ts';

/** One operation with the given name and policy, behind the gate that all of them stand behind. */
function gate(name: string, policy: unknown) {
  let ran = 0;
  const definition = defineOperation(
    {
      name: name as Operation['name'],
      title: 'Probe',
      description: 'Counts.',
      policy: policy as { effect: 'reads'; target: 'enumerates' },
      destructive: false,
      idempotent: true,
      openWorld: false,
      input: { type: 'object', additionalProperties: false, properties: {} },
      output: { type: 'object' },
    },
    async () => {
      ran += 1;
      return success({});
    },
  );
  const deps = {
    logger: createMemoryLogger(),
    clock: createFakeClock(0),
  };
  const access = createAccess();
  const targets = {
    find: async () => success({ slugs: [], named: null }),
    named: async () => ({ project: null, target: null }),
  };
  const operations = createOperations({ deps, access, targets }, [definition]);
  return {
    visible: () => operations.visible(USER).length,
    call: () => operations.call(USER, name, {}, { signal: NEVER }),
    ran: () => ran,
  };
}

const SOUND = { effect: 'reads', target: 'enumerates' };

it('an operation with a policy runs', async () => {
  const { visible, call, ran } = gate('list_projects', SOUND);
  expect([visible(), (await call()).ok, ran()]).toEqual([1, true, 1]);
});

// proves: policy.in-operations
it.each<[string, string, unknown]>([
  ['no policy', 'list_projects', undefined],
  ['an empty policy', 'list_projects', {}],
  ['no effect', 'list_projects', { target: 'enumerates' }],
  ['no target', 'list_projects', { effect: 'reads' }],
  ['an unknown effect', 'list_projects', { ...SOUND, effect: 'harmless' }],
  ['an unknown target', 'list_projects', { ...SOUND, target: 'anything' }],
  ['a name outside the catalogue', 'drop_everything', SOUND],
  ['an inherited name', 'toString', SOUND],
])(
  'an operation with %s is refused, even to those who may do everything',
  async (_, name, policy) => {
    const { visible, call, ran } = gate(name, policy);
    expect(visible()).toBe(0);
    expect(await call()).toMatchObject({ error: { code: 'unknown_operation' } });
    expect(ran()).toBe(0);
  },
);
