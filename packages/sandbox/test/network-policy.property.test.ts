import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createNetworkPolicy,
  type HostList,
  intersectHosts,
  isPublicAddress,
  parseHostList,
  widerEntries,
} from '../src/index.ts';

const HOSTS = ['example.org', 'a.example.org', 'b.a.example.org', 'org', 'other.example'];
const ADDRESSES = [
  '10.0.0.7',
  '127.0.0.1',
  '8.8.8.8',
  '169.254.169.254',
  '[::1]',
  '[2606:4700::1]',
];
const PORTS = [80, 443, 5432];

const port = fc.constantFrom('', ...PORTS.map((number) => `:${number}`));
const entry = fc.oneof(
  fc.constant('*'),
  fc
    .tuple(fc.constantFrom(...HOSTS, ...HOSTS.map((host) => `*.${host}`), ...ADDRESSES), port)
    .map(([host, suffix]) => host + suffix),
);
const entries = fc.array(entry, { maxLength: 4 });
const host = fc.oneof(
  fc.constantFrom(...HOSTS, ...ADDRESSES, 'localhost', '127.1', 'EXAMPLE.org.', '::ffff:127.0.0.1'),
  fc.ipV4(),
  fc.ipV6(),
  fc.domain(),
  fc.string(),
);
const target = fc.record({ host, port: fc.constantFrom(...PORTS) });

function list(texts: readonly string[]): HostList {
  const parsed = parseHostList(texts);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe('a network policy', () => {
  it('allows what all its lists allow, and nothing else by name', () => {
    fc.assert(
      fc.property(fc.array(entries, { minLength: 1, maxLength: 3 }), target, (lists, to) => {
        const parsed = lists.map(list);
        const together = createNetworkPolicy(parsed).check(to.host, to.port);
        const alone = parsed.map((one) => createNetworkPolicy([one]).check(to.host, to.port));
        if (together.allowed) expect(alone.every(({ allowed }) => allowed)).toBe(true);
        else expect(alone.every((one) => one.allowed && one.literal)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('allows addresses that are not public only as literal entries', () => {
    fc.assert(
      fc.property(entries, target, (texts, to) => {
        const decision = createNetworkPolicy([list(texts)]).check(to.host, to.port);
        const address = decision.allowed && /^[\d.]+$|:/.test(decision.host);
        if (decision.allowed && address && !isPublicAddress(decision.host)) {
          expect(decision.literal).toBe(true);
          expect(ADDRESSES.map((text) => text.replace(/[[\]]/g, ''))).toContain(decision.host);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('decides the same about the normalized host', () => {
    fc.assert(
      fc.property(entries, target, (texts, to) => {
        const policy = createNetworkPolicy([list(texts)]);
        const first = policy.check(to.host, to.port);
        if (first.allowed) expect(policy.check(first.host, to.port)).toEqual(first);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('intersectHosts', () => {
  it('allows what both lists allow, and nothing else', () => {
    fc.assert(
      fc.property(entries, entries, target, (first, second, to) => {
        const both = createNetworkPolicy([list(first), list(second)]).check(to.host, to.port);
        const common = createNetworkPolicy([list(intersectHosts(first, second))]);
        expect(common.check(to.host, to.port).allowed).toBe(both.allowed);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('widerEntries', () => {
  it('is empty only if the ceiling allows everything that the entries allow', () => {
    fc.assert(
      fc.property(entries, entries, target, (ceiling, texts, to) => {
        const within = texts.filter((text) => !widerEntries(ceiling, texts).includes(text));
        const lower = createNetworkPolicy([list(within)]).check(to.host, to.port);
        if (lower.allowed) {
          expect(createNetworkPolicy([list(ceiling)]).check(to.host, to.port).allowed).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
