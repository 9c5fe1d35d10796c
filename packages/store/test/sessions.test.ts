import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { T0, withStore } from './harness.ts';

const at = (hours: number): string => isoTime(T0 + hours * 3_600_000);
const session = (digest: string, expiresAt: string) => ({ digest, tokenDigest: 't', expiresAt });

describe('sessions', () => {
  it('are found by their digest until they are removed', () =>
    withStore(async ({ sessions }) => {
      await sessions.add(session('a', at(1)), at(0));
      await sessions.add(session('b', at(2)), at(0));
      expect(await sessions.find(['a'])).toEqual([session('a', at(1))]);
      await sessions.remove('a');
      await sessions.remove('nothing');
      expect(await sessions.find(['a', 'b', 'c'])).toEqual([session('b', at(2))]);
    }));

  it('that have expired go with the next one that begins', () =>
    withStore(async ({ sessions }) => {
      await sessions.add(session('a', at(1)), at(0));
      await sessions.add(session('b', at(2)), at(0));
      await sessions.add(session('c', at(9)), at(1));
      const left = await sessions.find(['a', 'b', 'c']);
      expect(left.map(({ digest }) => digest).sort()).toEqual(['b', 'c']);
    }));
});
