import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createManagementGate, type ManagementConfig, parseManagementConfig } from '@svc/mgmt-auth';
import fc from 'fast-check';
import { lastMatch } from '../src/credentials.ts';

const WORDS = 8;

/** A list of numbers that counts how often one of them is read. */
function counted(values: Int32Array): { list: ArrayLike<number>; reads: () => number } {
  let reads = 0;
  const list = new Proxy(values, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, target) as unknown;
    },
  });
  return { list, reads: () => reads };
}

describe('the search for a digest', () => {
  // Few values, so that digests often share words and differ in one bit only.
  const word = fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 7);
  const digest = fc.array(word, { minLength: WORDS, maxLength: WORDS });
  const table = fc.array(fc.record({ digest, refused: fc.boolean() }), { maxLength: 12 });
  const flat = (entries: readonly { digest: number[] }[]) =>
    Int32Array.from(entries.flatMap((entry) => entry.digest));
  const marks = (entries: readonly { refused: boolean }[]) =>
    Int32Array.from(entries, ({ refused }) => (refused ? -1 : 0));

  it('finds what comparing word by word finds', () => {
    fc.assert(
      fc.property(table, digest, fc.nat(), fc.nat(WORDS - 1), word, (entries, other, n, at, to) => {
        // Half of the digests looked for are those of an entry, or differ from it in one word.
        const near = [...(entries[n % 24]?.digest ?? other)];
        if (n % 2 === 0) near[at] = to;
        const wanted = entries.findLastIndex(
          (entry) => !entry.refused && entry.digest.every((one, i) => one === near[i]),
        );
        expect(lastMatch(flat(entries), marks(entries), near)).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('tells digests apart that differ in a single bit', () => {
    for (let bit = 0; bit < 32 * WORDS; bit += 1) {
      const near = new Int32Array(WORDS);
      near[bit >> 5] = 1 << (bit & 31);
      expect(lastMatch(new Int32Array(WORDS), [0], near)).toBe(-1);
    }
  });

  it('reads every word of every digest, wherever the match is, or without one', () => {
    const size = 50;
    const words = Int32Array.from({ length: size * WORDS }, (_, n) => Math.imul(n + 1, 0x9e3779b1));
    const given = (entry: number) => words.slice(entry * WORDS, (entry + 1) * WORDS);
    const cases = [
      { looked: given(0), found: 0 },
      { looked: given(size - 1), found: size - 1 },
      { looked: given(0).map((one, n) => (n === 7 ? ~one : one)), found: -1 },
      { looked: new Int32Array(WORDS), found: -1 },
    ];
    const counts = cases.map(({ looked, found }) => {
      const [table, refused] = [counted(words), counted(new Int32Array(size))];
      expect(lastMatch(table.list, refused.list, looked)).toBe(found);
      return [table.reads(), refused.reads()];
    });
    expect(counts).toEqual(cases.map(() => [size * WORDS, size]));
  });
});

describe('a gate with many clients', () => {
  const size = 300;
  const tokenOf = (n: number) => `tok_${n % 7 === 0 ? 'away' : 'home'}_${'x'.repeat(24)}${n}`;
  const ids = Array.from({ length: size }, (_, n) => n);
  const clients = Object.fromEntries(
    ids.map((n) => [
      `c${n}`,
      { auth: { ref: `env:T${n}`, ...(n % 3 === 0 ? { previousRef: `env:P${n}` } : {}) } },
    ]),
  );
  const env = Object.fromEntries(
    ids.flatMap((n) => [
      [`T${n}`, tokenOf(n)],
      [`P${n}`, `previous-${tokenOf(n)}`],
    ]),
  );
  const { config } = parseManagementConfig(
    { instanceId: 'home', publicUrl: 'https://h', clients },
    env,
  );
  const gate = createManagementGate(config, { clock: createFakeClock() });
  const ask = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const verdict = gate({ method: 'POST', headers, remoteAddress: '::1', encrypted: false });
    return verdict.ok ? verdict.principal.clientId : verdict.status;
  };

  it('knows each of their tokens, also previous ones, and no other', () => {
    for (const n of ids) {
      expect(ask(tokenOf(n))).toBe(n % 7 === 0 ? 401 : `c${n}`);
      expect(ask(`previous-${tokenOf(n)}`)).toBe(n % 3 === 0 ? `c${n}` : 401);
      expect(ask(`${tokenOf(n)}x`)).toBe(401);
    }
  });

  it('reads the configured digests when it is made and never again', () => {
    let reads = 0;
    const watched = {
      ...(config as ManagementConfig),
      clients: (config?.clients ?? []).map((client) => ({
        ...client,
        get tokens() {
          reads += 1;
          return client.tokens;
        },
      })),
    };
    const made = createManagementGate(watched, { clock: createFakeClock() });
    const before = reads;
    for (const token of [tokenOf(1), tokenOf(size - 1), 'nobody']) {
      const headers = { authorization: `Bearer ${token}` };
      made({ method: 'POST', headers, remoteAddress: '::1', encrypted: false });
    }
    expect([before, reads]).toEqual([size, size]);
  });
});
