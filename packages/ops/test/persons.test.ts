import { describe, expect, it } from '@jest/globals';
import { personCaller, type RowName, TABLE } from '@svc/ops';
import { NEVER } from './calls.ts';
import { scheduled, withWorld } from './harness.ts';

const READER = personCaller({ name: 'Ada', role: 'read' });
const WRITER = personCaller({ name: 'Ada', role: 'write' });
const INPUT = { project: 'demo', name: 'nightly', prompt: 'x', record: {} };

describe('a person who may only read', () => {
  it('has each operation that reads, and none that does anything', () =>
    withWorld(scheduled(), async (world) => {
      const { operations } = world.ops;
      const file = world.read('demo/project.yaml');
      const has = async (name: RowName): Promise<boolean> => {
        const called = await operations.call(READER, name, INPUT, { signal: NEVER });
        if (called.ok || called.error.code !== 'unknown_operation') return true;
        const message = `not permitted: operation ${name} is outside this client's scope`;
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

it('a person who may change things has every operation, and the log says who it was', () =>
  withWorld(scheduled(), async (world) => {
    const { operations } = world.ops;
    expect(operations.visible(WRITER)).toHaveLength(TABLE.filter(({ tool }) => tool).length);
    const input = { project: 'demo', prompt: 'Look.' };
    const made = await operations.call(WRITER, 'create_chat', input, { signal: NEVER });
    expect(made).toMatchObject({ ok: true, value: { by: 'user' } });
    expect(world.logger.lines.at(-1)?.fields).toMatchObject({ who: 'user', person: 'Ada' });
    (await world.until(() => world.runtime.turns[0])).end();
  }));
