import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { inspectManagement, parseManagementConfig } from '@svc/mgmt-auth';
import { CATALOGUE } from './catalogue.ts';

const A = 'tok_home_aaaaaaaaaaaaaaaaaaaa';
const B = 'tok_home_bbbbbbbbbbbbbbbbbbbb';
const env = {
  A,
  B,
  BLANK: ' \t ',
  SHORT: 'tok_home_12345678901234',
  PLAIN: 'a-plain-token-without-prefix',
  AWAY: 'tok_away_aaaaaaaaaaaaaaaaaaaa',
};
const SKIPPED = 'management client ignored: its configuration is invalid';
const DROPPED = 'management client ignored: its token is unset, blank or too short';
const IGNORED = 'previous token of a management client ignored: it is unset, blank or too short';
const WRONG = 'managementApi is invalid';
const INLINE = 'must not be in the file; name an environment variable with auth.ref: env:NAME';
const ASTRAY = 'is not known here; a client has auth and scope, and its rights belong under scope';
const REF = 'must name an environment variable, as in env:SVC_TOKEN';

const error = (message: string, fields: object) => ({ level: 'error', message, fields });
const warn = (message: string, fields: object) => ({ level: 'warn', message, fields });
const enabled = (...clients: string[]) => ({
  level: 'info',
  message: '/mcp enabled',
  fields: { clients, instanceId: 'home' },
});
const disabled = {
  level: 'info',
  message: '/mcp disabled (no managementApi.clients configured)',
  fields: {},
};
const skipped = (key: string, problem: string) => error(SKIPPED, { clientId: 'one', key, problem });
const missing = (variable: string) => ({ clientId: 'one', variable, minLength: 24 });
const ref = (one: string, more = {}) => ({ auth: { ref: one, ...more } });
const lines = (clients: object, more = {}) =>
  parseManagementConfig(
    { instanceId: 'home', publicUrl: 'https://h', clients, ...more },
    env,
    CATALOGUE,
  ).lines;

describe('an invalid client affects only itself:', () => {
  // proves: auth.min-length.dropped, config.auth-type.only-token, config.auth-ref.variable
  // proves: config.auth-ref.only-form, config.inline-secret, handling.unresolvable
  it.each<[string, unknown, object[]]>([
    ['token in auth', ref('env:A', { token: B }), [skipped('auth.token', INLINE)]],
    ['secret in auth', ref('env:A', { secret: B }), [skipped('auth.secret', INLINE)]],
    ['token beside auth', { ...ref('env:A'), token: B }, [skipped('token', INLINE)]],
    ['another type', ref('env:A', { type: 'oauth' }), [skipped('auth.type', 'must be token')]],
    ['no reference', { auth: { type: 'token' } }, [skipped('auth.ref', REF)]],
    ['no auth', {}, [skipped('auth.ref', REF)]],
    ['a reference to a file', ref('file:/run/token'), [skipped('auth.ref', REF)]],
    [
      'a previous one to a file',
      ref('env:A', { previousRef: '/t' }),
      [skipped('auth.previousRef', REF)],
    ],
    [
      'an unknown key in auth',
      ref('env:A', { refs: 'x' }),
      [skipped('auth.refs', 'is not a known key; known keys: type, ref, previousRef')],
    ],
    [
      'a key in auth that may be a secret',
      ref('env:A', { 'sk-ant-secret': null, 'env:B': null }),
      [skipped('auth', 'has a key that is not known; known keys: type, ref, previousRef')],
    ],
    [
      'an unknown key in scope',
      { ...ref('env:A'), scope: { alow: [] } },
      [
        skipped(
          'scope.alow',
          'is not a known key; known keys: projects, allow, deny, denyProjects, maxSpawnDepth',
        ),
      ],
    ],
    [
      'a misspelt scope, which would leave the default in its place',
      { ...ref('env:A'), scopes: { allow: [] } },
      [skipped('scopes', ASTRAY)],
    ],
    [
      'a scope with two letters the wrong way round',
      { ...ref('env:A'), scpoe: { projects: [] } },
      [skipped('scpoe', ASTRAY)],
    ],
    [
      'permissions in place of a scope',
      { ...ref('env:A'), permissions: [] },
      [skipped('permissions', ASTRAY)],
    ],
    [
      'rights that do not stand under scope',
      { ...ref('env:A'), denyProjects: ['x'], allow: [] },
      [skipped('denyProjects', ASTRAY), skipped('allow', ASTRAY)],
    ],
    [
      'several at once',
      { ...ref('A', { token: B }), scope: { allow: 'x' } },
      [
        skipped('auth.token', INLINE),
        skipped('auth.ref', REF),
        skipped('scope.allow', 'must be a list of strings'),
      ],
    ],
    ['a token that is unset', ref('env:NONE'), [warn(DROPPED, missing('NONE'))]],
    ['a token that is blank', ref('env:BLANK'), [warn(DROPPED, missing('BLANK'))]],
    ['a token of 23 characters', ref('env:SHORT'), [warn(DROPPED, missing('SHORT'))]],
    [
      'the token of a client before it',
      ref('env:B'),
      [
        error('management client ignored: another client has the same token', {
          clientId: 'one',
          sameTokenAs: 'good',
        }),
      ],
    ],
  ])('%s', (_name, client, wanted) => {
    expect(lines({ good: ref('env:B'), one: client })).toEqual([...wanted, enabled('good')]);
    // As the only client it leaves none, and the endpoint is disabled.
    if (!JSON.stringify(wanted).includes('sameTokenAs')) {
      expect(lines({ one: client })).toEqual([...wanted, disabled]);
    }
  });
});

describe('a client that is kept has a warning:', () => {
  // proves: auth.binding.unbound
  it.each<[string, unknown, object[]]>([
    ['nothing', ref('env:A'), []],
    [
      'a token that is not bound',
      ref('env:PLAIN'),
      [warn('token of a management client is not bound to an instance', { clientId: 'one' })],
    ],
    [
      'a token bound elsewhere',
      ref('env:AWAY'),
      [
        warn('token of a management client is bound to another instance and will be refused', {
          clientId: 'one',
        }),
      ],
    ],
    [
      'a previous token that is unset',
      ref('env:A', { previousRef: 'env:NONE' }),
      [warn(IGNORED, missing('NONE'))],
    ],
    ['a previous token that lives', ref('env:A', { previousRef: 'env:B' }), []],
    [
      'a key that only begins like another',
      { ...ref('env:A'), author: 'ops', denyNote: 'y' },
      [warn('unknown key of a management client is ignored', { clientId: 'one' })],
    ],
    [
      'a key that means nothing',
      { ...ref('env:A'), note: 'x' },
      [warn('unknown key of a management client is ignored', { clientId: 'one' })],
    ],
    [
      'a batch of copies without the right to copy, which runs nothing',
      { ...ref('env:A'), scope: { allow: ['fork_chat_batch'] } },
      [],
    ],
    [
      'operations that run code, in their order',
      { ...ref('env:A'), scope: { allow: ['*'], deny: ['fork_*'] } },
      [
        warn('management client may make this instance run code', {
          clientId: 'one',
          operations: [
            'create_project',
            'create_chat',
            'send_message',
            'set_trigger',
            'run_trigger',
          ],
        }),
      ],
    ],
  ])('%s', (_name, client, wanted) => {
    expect(lines({ one: client })).toEqual([...wanted, enabled('one')]);
  });

  it('each under its name', () => {
    const scope = { allow: ['send_message'] };
    const clients = { one: { ...ref('env:A'), scope }, two: { ...ref('env:B'), scope } };
    expect(lines(clients).map(({ fields }) => fields['clientId'])).toEqual([
      'one',
      'two',
      undefined,
    ]);
  });
});

describe('a setting that disables the endpoint has its error directly before the last line:', () => {
  it.each<[string, object, object]>([
    [
      'no public URL',
      { publicUrl: undefined },
      { key: 'managementApi.publicUrl', problem: 'is missing' },
    ],
    [
      'one in plain text',
      { publicUrl: 'http://svc.example.com' },
      { key: 'managementApi.publicUrl', problem: 'must be https unless its host is loopback' },
    ],
    [
      'one with a query',
      { publicUrl: 'https://h/?a' },
      { key: 'managementApi.publicUrl', problem: 'must not have a query or fragment' },
    ],
    [
      'a number for the instance',
      { instanceId: 7 },
      {
        key: 'managementApi.instanceId',
        problem: 'must be text that is not blank; put quotes around a number',
      },
    ],
  ])('%s', (_name, more, fields) => {
    const all = lines({ gone: ref('env:NONE'), one: ref('env:A') }, more);
    const last = all.at(-1);
    expect(last).toEqual(disabled);
    expect(all.at(-2)).toEqual(error(WRONG, fields));
    expect(all.filter(({ message }) => message.startsWith('/mcp '))).toHaveLength(1);
  });
});

describe('the report on clients', () => {
  const scope = { allow: ['*'], deny: ['run_trigger'] };
  const report = inspectManagement(
    {
      instanceId: 'home',
      clients: {
        sound: { ...ref('env:A', { previousRef: 'env:SHORT' }), scope },
        twin: ref('env:A'),
        gone: ref('env:NONE', { previousRef: 'env:B' }),
        away: ref('env:AWAY', { previousRef: 'env:PLAIN' }),
        inline: ref(`env:${A}`, { token: A }),
      },
    },
    env,
    CATALOGUE,
  );

  it('has every client, including skipped ones, also while the endpoint is disabled', () => {
    expect(report).toMatchObject({ config: null, instanceId: 'home' });
    expect(
      report.clients.map(({ clientId, usable, token, previousToken, sameTokenAs }) => [
        clientId,
        usable,
        token && [token.variable, token.state, token.binding],
        previousToken && [previousToken.variable, previousToken.state, previousToken.binding],
        sameTokenAs,
      ]),
    ).toEqual([
      ['sound', true, ['A', 'ready', 'here'], ['SHORT', 'short', null], null],
      ['twin', false, ['A', 'ready', 'here'], null, 'sound'],
      ['gone', false, ['NONE', 'unset', null], ['B', 'ready', 'here'], null],
      ['away', false, ['AWAY', 'ready', 'elsewhere'], ['PLAIN', 'ready', 'none'], null],
      ['inline', false, [null, 'unset', null], null, null],
    ]);
    expect(report.clients[0]?.runsCode).not.toContain('run_trigger');
    expect(report.clients[0]?.runsCode).toContain('send_message');
    expect(report.clients[4]?.problems).toEqual([{ path: 'auth.token', message: INLINE }]);
  });

  it.each([
    ['SVC_TOKEN_CI', true],
    ['SVC_TOKEN_MY_VERY_LONG_CLIENT_NAME_B5214C77', true],
    ['SVC_TOKEN_AVERYLONGCLIENTNAMEWITHOUTDASHES', true],
    ['myLaptopToken2', true],
    ['tok_short', false],
    ['TOK_HOME_X', false],
    ['plain0123456789abcdef0123', false],
    ['A0123456789ABCDEF0123456', false],
    ['abcdefghijklmnopqrstuvwxyz', false],
  ])('names the variable %s: %s', (variable, isShown) => {
    const { clients, lines } = inspectManagement(
      { clients: { one: ref(`env:${variable}`) } },
      {},
      CATALOGUE,
    );
    expect(clients[0]?.token?.variable).toBe(isShown ? variable : null);
    expect(JSON.stringify(lines).includes(variable)).toBe(isShown);
  });

  it('contains no token', () => {
    const printed = inspect(report, { depth: null }) + JSON.stringify(report);
    for (const token of [A, B, env.PLAIN, env.AWAY]) expect(printed).not.toContain(token);
  });
});
