import type { Roles } from '@svc/browser-auth';
import { type Issue, isLoopbackName, success } from '@svc/core';
import { parseAddressSet } from '@svc/mgmt-auth';
import {
  names,
  type Parse,
  referenceTo,
  refuse,
  row,
  type SettingRow,
  text,
} from './setting-row.ts';

/** The sign-in configuration, without secrets. */
export type AuthSettings =
  | { readonly mode: 'unset' | 'none' }
  | {
      readonly mode: 'token';
      /** Environment variable with the access token. */
      readonly variable: string;
      readonly trustedProxies: readonly string[];
    }
  | {
      readonly mode: 'trusted-header';
      readonly header: string;
      readonly rolesHeader: string | null;
      readonly roles: Roles | null;
      readonly trustedProxies: readonly string[];
    }
  | {
      readonly mode: 'jwt';
      readonly issuer: string;
      readonly audience: readonly string[];
      readonly jwksUrl: string;
      readonly userClaim: string;
      readonly rolesClaim: string;
      readonly header: string | null;
      readonly roles: Roles | null;
      readonly trustedProxies: readonly string[];
    };

type Mode = AuthSettings['mode'];

const MODES: readonly unknown[] = ['none', 'token', 'trusted-header', 'jwt'] satisfies Mode[];

const mode: Parse = (value) =>
  MODES.includes(value) ? success(value) : refuse('must be none, token, trusted-header or jwt.');

const header: Parse = (value) =>
  typeof value === 'string' && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(value)
    ? success(value)
    : refuse('must be the name of a header.');

const proxies: Parse = (value) => {
  const listed = names(value);
  if (!listed.ok) return listed;
  const { unknown } = parseAddressSet(listed.value as string[]);
  return unknown.length === 0
    ? listed
    : refuse(
        `must be a list of IP addresses, CIDR ranges, loopback, linklocal, uniquelocal, none or all, not ${unknown.join(', ')}.`,
      );
};

const audience: Parse = (value) => {
  const listed = names([value].flat());
  return listed.ok && (listed.value as string[]).length > 0
    ? listed
    : refuse('must be a string or a list of strings.');
};

const keysUrl: Parse = (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  const isPlain = url?.username === '' && url.password === '';
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  return isPlain && isSafe
    ? success(url.href)
    : refuse('must be an https URL, or an http URL on this machine, without a password.');
};

/** Settings for access to the page and the REST interface. */
export const AUTH_ROWS: readonly SettingRow[] = [
  row('auth.mode', 'unset', mode, 'SVC_AUTH_MODE'),
  row('auth.tokenRef', null, referenceTo('token')),
  row('auth.trustedProxies', null, proxies),
  row('auth.header', null, header),
  row('auth.rolesHeader', null, header),
  row('auth.roles.read', null, names),
  row('auth.roles.write', null, names),
  row('auth.jwt.issuer', null, text),
  row('auth.jwt.audience', null, audience),
  row('auth.jwt.jwksUrl', null, keysUrl),
  row('auth.jwt.userClaim', null, text),
  row('auth.jwt.rolesClaim', null, text),
  row('auth.jwt.header', null, header),
];

type Key = `auth.${string}`;

interface Needs {
  readonly needed: readonly Key[];
  readonly optional: readonly Key[];
}

const NOTHING: Needs = { needed: [], optional: [] };
const ROLES: readonly Key[] = ['auth.roles.read', 'auth.roles.write'];

const BY_MODE: Readonly<Record<Mode, Needs>> = {
  unset: NOTHING,
  none: NOTHING,
  token: { needed: ['auth.tokenRef'], optional: ['auth.trustedProxies'] },
  'trusted-header': {
    needed: ['auth.header', 'auth.trustedProxies'],
    optional: ['auth.rolesHeader', ...ROLES],
  },
  jwt: {
    needed: ['auth.jwt.issuer', 'auth.jwt.audience', 'auth.jwt.jwksUrl'],
    optional: [
      ...(['auth.jwt.userClaim', 'auth.jwt.rolesClaim', 'auth.jwt.header'] as const),
      ...(['auth.trustedProxies', ...ROLES] as const),
    ],
  },
};

type Values = ReadonlyMap<string, unknown>;

/** Errors in the combination of these settings, and settings without effect. */
export function authFaults(values: Values): { issues: Issue[]; warnings: Issue[] } {
  const chosen = values.get('auth.mode') as Mode;
  const given = AUTH_ROWS.map(({ key }) => key as Key).filter(
    (key) => key !== 'auth.mode' && isGiven(values, key),
  );
  if (chosen === 'unset') {
    const [first] = given;
    const message = `is required because ${first} is set.`;
    return { issues: first === undefined ? [] : [{ path: 'auth.mode', message }], warnings: [] };
  }
  const { needed, optional } = BY_MODE[chosen];
  const missing: Issue[] = needed
    .filter((key) => !isGiven(values, key))
    .map((path) => ({ path, message: `is required for auth.mode ${chosen}.` }));
  const hasRoles = ROLES.some((key) => isGiven(values, key));
  if (chosen === 'trusted-header' && hasRoles && !isGiven(values, 'auth.rolesHeader')) {
    missing.push({ path: 'auth.rolesHeader', message: 'is required for auth.roles.' });
  }
  const idle = given.filter((key) => !needed.includes(key) && !optional.includes(key));
  const message = `has no effect with auth.mode ${chosen}.`;
  return { issues: missing, warnings: idle.map((path) => ({ path, message })) };
}

function isGiven(values: Values, key: Key): boolean {
  return (values.get(key) ?? null) !== null;
}

/** The settings of the mode, from valid values. */
export function authOf(values: Values): AuthSettings {
  const get = <T>(key: Key): T => values.get(key) as T;
  const trustedProxies = get<readonly string[] | null>('auth.trustedProxies') ?? [];
  const chosen = get<Mode>('auth.mode');
  switch (chosen) {
    case 'token':
      return { mode: chosen, variable: get('auth.tokenRef'), trustedProxies };
    case 'trusted-header':
      return {
        mode: chosen,
        header: get('auth.header'),
        rolesHeader: get('auth.rolesHeader'),
        roles: rolesOf(values),
        trustedProxies,
      };
    case 'jwt':
      return {
        mode: chosen,
        issuer: get('auth.jwt.issuer'),
        audience: get('auth.jwt.audience'),
        jwksUrl: get('auth.jwt.jwksUrl'),
        userClaim: get<string | null>('auth.jwt.userClaim') ?? 'sub',
        rolesClaim: get<string | null>('auth.jwt.rolesClaim') ?? 'roles',
        header: get('auth.jwt.header'),
        roles: rolesOf(values),
        trustedProxies,
      };
    default:
      return { mode: chosen };
  }
}

function rolesOf(values: Values): Roles | null {
  const [read, write] = ROLES.map((key) => values.get(key) as readonly string[] | null);
  return read == null && write == null ? null : { read: read ?? [], write: write ?? [] };
}
