import { describe, expect, it } from '@jest/globals';
import { createPolicy, type Scope } from '@svc/mgmt-auth';
import fc from 'fast-check';
import { CATALOGUE } from './catalogue.ts';

const policy = createPolicy(CATALOGUE);
const names = Object.keys(CATALOGUE);
const SLUGS = ['web', 'web-1', 'api', 'constructor', '__proto__', 'a..b'];

// A modified name: with characters that other programs treat as wildcards, in any place and number.
const bent = fc
  .tuple(
    fc.constantFrom(...names, ...SLUGS),
    fc.array(
      fc.tuple(fc.nat(20), fc.constantFrom('?', '[]', '[a-z]', '*', '.', '.*', '{a,b}', '|', ' ')),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([name, bends]) =>
    bends.reduce((text, [at, mark]) => text.slice(0, at) + mark + text.slice(at), name),
  );
const isPrefixPattern = (text: string) => /^[^*]*\*$/.test(text);
const literal = fc
  .oneof(bent, fc.string(), fc.constantFrom(...names, ...SLUGS))
  .filter((text) => !isPrefixPattern(text));
const pattern = fc.oneof(
  literal,
  fc.constantFrom('*', 'list_*', 'fork_*', 'web*', 'web-*', ...names, ...SLUGS),
);
const patterns = fc.array(pattern, { maxLength: 5 });
const scope = fc.record<Scope>({
  projects: patterns,
  allow: patterns,
  deny: patterns,
  denyProjects: patterns,
  maxSpawnDepth: fc.constant(null),
});
const LISTS = ['projects', 'allow', 'deny', 'denyProjects'] as const;

const operation = fc.oneof(fc.constantFrom(...names), literal);
const slug = fc.oneof(fc.constantFrom(...SLUGS), literal);
const plus = (given: Scope, list: (typeof LISTS)[number], added: string): Scope => ({
  ...given,
  [list]: [...given[list], added],
});

describe('a literal', () => {
  // proves: catalogue.names-of-rules
  it('matches only its own name, in every list', () => {
    fc.assert(
      fc.property(
        scope,
        fc.constantFrom(...LISTS),
        literal,
        operation,
        slug,
        (given, list, added, name, project) => {
          const wider = plus(given, list, added);
          if (added !== name && !(added === 'fork_chat' && name === 'fork_chat_batch')) {
            expect(policy.allows(wider, name)).toBe(policy.allows(given, name));
          }
          if (added !== project) {
            expect(policy.reaches(wider, project)).toBe(policy.reaches(given, project));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  // proves: policy.literals
  it('may contain any character, and matches exactly that text', () => {
    fc.assert(
      fc.property(bent, fc.constantFrom(...names, ...SLUGS), (text, name) => {
        fc.pre(!isPrefixPattern(text));
        expect(policy.matches(text, name)).toBe(text === name);
        expect(policy.matches(text, text)).toBe(true);
        const longer = `${text.slice(0, -1)}-x`;
        expect(policy.matches(text, longer)).toBe(text === longer);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a denial', () => {
  // proves: policy.deny-wins
  it('overrides every permission', () => {
    fc.assert(
      fc.property(scope, operation, slug, pattern, (given, name, project, denied) => {
        const narrower = plus(plus(given, 'deny', denied), 'denyProjects', denied);
        if (policy.matches(denied, name)) expect(policy.allows(narrower, name)).toBe(false);
        if (policy.matches(denied, project)) expect(policy.reaches(narrower, project)).toBe(false);
        // A denial never grants anything else.
        if (!policy.allows(given, name)) expect(policy.allows(narrower, name)).toBe(false);
        if (!policy.reaches(given, project)) expect(policy.reaches(narrower, project)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an operation outside the catalog', () => {
  // proves: policy.catalogue-only
  it('is refused whatever is allowed, and is never visible', () => {
    fc.assert(
      fc.property(scope, fc.oneof(fc.string(), bent, fc.constantFrom(...SLUGS)), (given, name) => {
        fc.pre(!names.includes(name));
        const wide = { ...given, allow: ['*', name, ...given.allow], deny: [] };
        expect(policy.allows(wide, name)).toBe(false);
        expect(policy.visibleOperations(wide)).toEqual(names);
        expect(policy.oauthScopes([name])).toEqual([]);
      }),
    );
  });
});
