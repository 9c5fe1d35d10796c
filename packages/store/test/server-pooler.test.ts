import { describe, expect, it } from '@jest/globals';
import { isHandedOn, type Session } from '../src/postgres/server-pooler.ts';

type Mode = 'direct' | 'session' | 'transaction' | 'statement';

/** Connections to a server, some of which are there already, through what hands them out in a mode. */
function place(mode: Mode, idle: readonly number[] = [], inTurn = false) {
  const free = [...idle];
  let made = 100;
  let open = 0;
  const take = (): number => (inTurn ? free.shift() : free.pop()) ?? ++made;
  const connect = async (): Promise<Session> => {
    open += 1;
    const own = mode === 'direct' || mode === 'session' ? take() : null;
    let held: number | null = null;
    return {
      announced: mode === 'direct' ? own : 7,
      async process() {
        if (own !== null) return own;
        if (held !== null) return held;
        const one = take();
        free.push(one);
        return one;
      },
      async begin() {
        if (mode === 'statement') throw new Error('transaction blocks not allowed');
        if (own === null) held = take();
      },
      async commit() {
        if (held !== null) free.push(held);
        held = null;
      },
      async close() {
        open -= 1;
      },
    };
  };
  return { connect, open: () => open };
}

describe('what stands before a server', () => {
  // proves: settings.database-pooler
  it.each([
    ['direct', [], false, false],
    ['session', [], false, false],
    ['session', [1, 2, 3], true, false],
    ['transaction', [], false, true],
    ['transaction', [1, 2, 3], false, true],
    ['transaction', [], true, true],
    ['transaction', [1], true, true],
    ['transaction', [1, 2], true, true],
    ['transaction', [1, 2, 3], true, true],
    ['statement', [1], false, true],
  ] as const)(
    'is known by its connections: %s, %j free, in turn: %s',
    async (mode, idle, inTurn, is) => {
      const { connect, open } = place(mode, idle, inTurn);
      expect(await isHandedOn(connect)).toBe(is);
      expect(open()).toBe(0);
    },
  );
});
