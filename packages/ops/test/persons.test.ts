import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { personCaller, type RowName, TABLE } from '@svc/ops';
import { NEVER } from './calls.ts';
import { MINUTE, scheduled, withWorld } from './harness.ts';

const READER = personCaller({ name: 'Ada', role: 'read' });
const WRITER = personCaller({ name: 'Ada', role: 'write' });
const INPUT = { project: 'demo', name: 'nightly', prompt: 'x', record: {} };

describe('a person who may only read', () => {
  // proves: people.read-only
  it('has each operation that reads, and none that does anything', () =>
    withWorld(scheduled(), async (world) => {
      const { operations } = world.ops;
      const file = world.read('demo/project.yaml');
      const has = async (name: RowName): Promise<boolean> => {
        const called = await operations.call(READER, name, INPUT, { signal: NEVER });
        if (called.ok || called.error.code !== 'unknown_operation') return true;
        const message = `not permitted: your role is read-only, and operation ${name} changes or starts something. Ask for a role listed in auth.roles.write`;
        expect(called.error).toEqual({ code: 'unknown_operation', message });
        return false;
      };
      for (const { name, policy } of TABLE) {
        expect([name, await has(name)]).toEqual([name, policy.effect === 'reads']);
      }
      expect(world.read('demo/project.yaml')).toBe(file);
      expect(world.runtime.turns).toEqual([]);
      expect(operations.visible(READER).map(({ policy }) => policy.effect)).toEqual(
        operations.visible(READER).map(() => 'reads'),
      );
    }));
});

// proves: people.person
it('a person who may change things has every operation, and runs, chats, changes and the log say who it was', () =>
  withWorld(scheduled(), async (world) => {
    const { operations } = world.ops;
    expect(operations.visible(WRITER)).toHaveLength(TABLE.filter(({ tool }) => tool).length);
    const input = { project: 'demo', prompt: 'Look.' };
    const made = await operations.call(WRITER, 'create_chat', input, { signal: NEVER });
    expect(made).toMatchObject({ ok: true, value: { by: 'user', person: 'Ada' } });
    expect(world.logger.lines.at(-1)?.fields).toMatchObject({ who: 'user', person: 'Ada' });
    (await world.until(() => world.runtime.turns[0])).end();
    const fired = { project: 'demo', name: 'nightly' };
    const call = (name: RowName, caller = WRITER) =>
      operations.call(caller, name, fired, { signal: NEVER });
    await call('run_trigger');
    (await world.until(() => world.runtime.turns[1])).end();
    await world.until(async () => (await world.runs())[0]?.state === 'ended');
    await call('run_trigger', personCaller({ name: null, role: 'write' }));
    (await world.until(() => world.runtime.turns[2])).end();
    expect(await world.runs()).toMatchObject([
      { by: 'user', person: null },
      { by: 'user', person: 'Ada' },
    ]);
    const [ended] = world.logger.lines.filter(({ message }) => message === 'run ended');
    expect(ended?.fields).toMatchObject({ trigger: 'nightly', person: 'Ada' });
    await call('remove_trigger');
    await world.clock.advance(2 * MINUTE);
    const at = isoTime(world.clock.now());
    const asked = { ...fired, at };
    expect(await operations.call(WRITER, 'why_trigger', asked, { signal: NEVER })).toMatchObject({
      value: { decision: 'removed', changes: [{ by: 'Ada', person: 'Ada', via: 'rest' }] },
    });
  }));
