import { timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createManagementGate, type ManagementConfig, parseManagementConfig } from '@svc/mgmt-auth';
import { lastEqual } from '../src/credentials.ts';
import { CATALOGUE } from './catalogue.ts';

describe('the search for a digest', () => {
  const digestOf = (n: number) => Buffer.alloc(32, n);

  // proves: auth.digests
  it('distinguishes digests that differ in a single bit', () => {
    for (let bit = 0; bit < 256; bit += 1) {
      const near = Buffer.alloc(32);
      near[bit >> 3] = 1 << (bit & 7);
      expect(lastEqual([Buffer.alloc(32)], near)).toBe(-1);
    }
    expect(lastEqual([Buffer.alloc(32)], Buffer.alloc(32))).toBe(0);
  });

  // proves: auth.digests, auth.every-client
  it.each([
    ['the first', 0, 0],
    ['the last', 49, 49],
    ['none', 200, -1],
  ])('compares every digest in constant time if %s matches', (_, given, found) => {
    const digests = Array.from({ length: 50 }, (_, n) => digestOf(n));
    const compared: unknown[] = [];
    const place = lastEqual(digests, digestOf(given), (one, other) => {
      compared.push(one);
      return timingSafeEqual(one, other);
    });
    expect([place, compared]).toEqual([found, digests]);
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
    CATALOGUE,
  );
  const gate = createManagementGate(config, { clock: createFakeClock() });
  const ask = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const verdict = gate({ method: 'POST', headers, remoteAddress: '::1', encrypted: false });
    return verdict.ok ? verdict.principal.clientId : verdict.status;
  };

  // proves: auth.every-client
  it('accepts each of their tokens, also previous ones, and no other', () => {
    for (const n of ids) {
      expect(ask(tokenOf(n))).toBe(n % 7 === 0 ? 401 : `c${n}`);
      expect(ask(`previous-${tokenOf(n)}`)).toBe(n % 3 === 0 ? `c${n}` : 401);
      expect(ask(`${tokenOf(n)}x`)).toBe(401);
    }
  });

  it('reads the configured digests once', () => {
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
    for (const token of [tokenOf(1), tokenOf(size - 1), 'unknown']) {
      const headers = { authorization: `Bearer ${token}` };
      made({ method: 'POST', headers, remoteAddress: '::1', encrypted: false });
    }
    expect([before, reads]).toEqual([size, size]);
  });
});
