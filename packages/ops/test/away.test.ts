import { describe, expect, it } from '@jest/globals';
import { success } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { type Services, USER } from '@svc/ops';
import { createGate } from '../src/gate.ts';
import { createAccess } from '../src/operations/access.ts';
import type { OperationRow } from '../src/operations/operation.ts';
import { NEVER } from './calls.ts';

const GONE = 'The database does not answer.';

/** An operation that takes as long as a test says, over a database that goes away when it says. */
function place(effect: 'reads' | 'mutates') {
  const clock = createFakeClock();
  const followers = new Set<(fault: string | null) => void>();
  const connectivity = {
    fault: null as string | null,
    quietMs: 0,
    subscribe(on: (fault: string | null) => void) {
      followers.add(on);
      return () => void followers.delete(on);
    },
  };
  let finish = (): void => {};
  const row: OperationRow = {
    name: 'list_projects',
    summary: 'Counts.',
    policy: { class: 'read', effect, target: 'none', gate: 'visible', needs: [] } as never,
    input: { type: 'object', additionalProperties: false, properties: {} },
    output: null,
    http: null,
    tool: null,
    run: () =>
      new Promise((resolve) => {
        finish = () => resolve(success({ projects: [] }) as never);
      }),
    toToolResult: () => ({}),
    toReply: () => ({ body: {} }),
  };
  const targets = {
    find: async () => success({ slugs: [], named: null }),
    named: async () => ({ project: null, target: null }),
  };
  const logger = createMemoryLogger();
  const access = { ...createAccess([row]), allows: () => true };
  const operations = createGate(
    { logger, clock, connectivity, access, targets, services: {} as Services, tools: [] },
    [row],
  );
  return {
    clock,
    finish: () => finish(),
    followers,
    turn(fault: string | null) {
      connectivity.fault = fault;
      for (const follower of followers) follower(fault);
    },
    call: () => operations.call(USER, 'list_projects', {}, { signal: NEVER }),
  };
}

describe('a call during which the database becomes unavailable', () => {
  // proves: nodes.hangs
  it.each([
    ['reads', GONE],
    ['mutates', `${GONE} It may still have taken effect.`],
  ] as const)(
    'is answered shortly afterwards when it %s, whatever its outcome',
    async (effect, message) => {
      const { call, turn, clock, followers } = place(effect);
      const called = call();
      await clock.settle();
      turn(GONE);
      await clock.advance(500);
      expect(await called).toEqual({ ok: false, error: { code: 'unavailable', message } });
      expect([clock.pending, followers.size]).toEqual([0, 0]);
    },
  );

  it('is answered as ever where it is done by then', async () => {
    const { call, turn, clock, finish, followers } = place('mutates');
    const called = call();
    await clock.settle();
    turn(GONE);
    await clock.advance(400);
    finish();
    expect(await called).toEqual({ ok: true, value: { projects: [] } });
    expect([clock.pending, followers.size]).toEqual([0, 0]);
  });

  it('is answered a moment after it was called while that is away', async () => {
    const { call, turn, clock } = place('reads');
    turn(GONE);
    const called = call();
    await clock.advance(500);
    expect(await called).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });
});
