import { describe, expect, it } from '@jest/globals';
import { createPolicy, type Scope } from '@svc/mgmt-auth';
import fc from 'fast-check';
import { CATALOGUE } from './catalogue.ts';

const policy = createPolicy(CATALOGUE);
const scope = (part: Partial<Scope> = {}): Scope => {
  const read = policy.scopeOf(part);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
};

describe('a pattern', () => {
  // proves: policy.patterns
  it.each([
    ['*', 'list_chats', true],
    ['list_*', 'list_chats', true],
    ['list_*', 'list_', true],
    ['list_chats', 'list_chats', true],
    ['list_chats', 'list_chats2', false],
    ['list_?hats', 'list_chats', false],
    ['list_[c]hats', 'list_chats', false],
    ['*_chats', 'list_chats', false],
    ['list*chats', 'list_chats', false],
    ['l*t*', 'list_chats', false],
    ['**', 'list_chats', false],
    ['**', '**', true],
    ['**', '*x', false],
    ['l*t*', 'l*ts', false],
    ['', 'list_chats', false],
    ['LIST_*', 'list_chats', false],
  ])('%j over %j: %s', (pattern, name, answer) => {
    expect(policy.matches(pattern, name)).toBe(answer);
  });

  // proves: policy.literals
  it('without a trailing star never covers another name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, name) => {
        fc.pre(!pattern.endsWith('*') && pattern !== name);
        expect(policy.matches(pattern, name)).toBe(false);
      }),
    );
  });
});

describe('a scope', () => {
  // proves: scope.projects.default, scope.allow.default, scope.absent
  it('reads in all projects by default', () => {
    expect(policy.scopeOf(undefined)).toEqual({
      ok: true,
      value: {
        projects: ['*'],
        allow: ['list_*', 'read_chat'],
        deny: [],
        denyProjects: [],
        maxSpawnDepth: null,
      },
    });
    expect(policy.visibleOperations(scope())).toEqual([
      'list_projects',
      'list_chats',
      'read_chat',
      'list_triggers',
    ]);
  });

  it.each([
    [{ allow: 'read_chat' }, 'scope.allow'],
    [{ projects: [1] }, 'scope.projects'],
    [{ deny: null }, 'scope.deny'],
    [{ denyProject: ['a'] }, 'scope.denyProject'],
    [{ constructor: [] }, 'scope'],
    [{ maxSpawnDepth: -1 }, 'scope.maxSpawnDepth'],
    [{ maxSpawnDepth: 1.5 }, 'scope.maxSpawnDepth'],
    [[], 'scope'],
    [null, 'scope'],
    ['*', 'scope'],
  ])('%j is refused at %s', (raw, path) => {
    const read = policy.scopeOf(raw);
    expect(read.ok ? [] : read.issues.map((issue) => issue.path)).toEqual([path]);
  });

  it.each([
    [{ allow: [] }, []],
    [{ allow: ['*'], deny: ['*'] }, []],
    [{ allow: ['run_trigger'], deny: ['run_*'] }, []],
    [{ allow: ['fork_chat_batch'] }, []],
    [{ allow: ['fork_*'], deny: ['fork_chat'] }, []],
    [{ allow: ['fork_*'] }, ['fork_chat', 'fork_chat_batch']],
    [{ allow: ['constructor', '__proto__', 'toString', 'drop_database'] }, []],
    [{ allow: ['list_?', 'read_chat'] }, ['read_chat']],
  ])('%j makes %j visible', (part, visible) => {
    expect(policy.visibleOperations(scope(part))).toEqual(visible);
  });

  it.each(['constructor', '__proto__', 'toString', 'unknown', ''])(
    'never allows %j, which is not in the catalog',
    (name) => {
      expect(policy.allows(scope({ allow: ['*', name] }), name)).toBe(false);
    },
  );

  // proves: scope.deny-projects.wins
  it.each([
    [{}, 'any', true],
    [{ projects: [] }, 'any', false],
    [{ projects: ['web-*'] }, 'web-1', true],
    [{ projects: ['web-*'] }, 'api', false],
    [{ projects: ['web-*'], denyProjects: ['web-1'] }, 'web-1', false],
    [{ denyProjects: ['*'] }, 'any', false],
    [{ projects: ['web'] }, 'constructor', false],
  ])('%j reaches %j: %s', (part, slug, answer) => {
    expect(policy.reaches(scope(part), slug)).toBe(answer);
  });

  const patterns = fc.array(
    fc.constantFrom('*', 'list_*', 'read_chat', 'fork_*', 'fork_chat', 'set_trigger', 'x?', ''),
  );

  // proves: scope.deny.wins
  it('never allows what it denies', () => {
    fc.assert(
      fc.property(patterns, patterns, (allow, deny) => {
        const visible = policy.visibleOperations(scope({ allow, deny }));
        const denied = visible.filter((name) => deny.some((p) => policy.matches(p, name)));
        expect(denied).toEqual([]);
      }),
    );
  });

  // proves: policy.readers
  it('without a write or trigger operation makes no write operation visible', () => {
    fc.assert(
      fc.property(patterns, (deny) => {
        const visible = policy.visibleOperations(scope({ allow: ['list_*', 'read_chat'], deny }));
        expect(visible.filter((name) => !/^(list_|read_)/.test(name))).toEqual([]);
      }),
    );
  });
});

describe('the OAuth scopes', () => {
  // proves: policy.oauth-scopes
  it.each([
    [[], []],
    [['unknown', 'constructor'], []],
    [['list_triggers'], ['svc:read']],
    [['read_chat', 'list_projects'], ['svc:read']],
    [['set_trigger'], ['svc:write']],
    [
      ['run_trigger', 'read_chat'],
      ['svc:read', 'svc:write'],
    ],
  ])('of %j are %j', (operations, scopes) => {
    expect(policy.oauthScopes(operations)).toEqual(scopes);
  });
});

// proves: policy.denial
it('names the refused operation', () => {
  expect(policy.denialMessage('set_trigger')).toBe(
    "not permitted: operation set_trigger is outside this client's scope",
  );
});
