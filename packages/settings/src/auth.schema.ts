import {
  group,
  guarded,
  headerName,
  reference,
  setting,
  shown,
  strings,
  text,
} from './schema-parts.ts';

const audience = {
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  items: { type: 'string', minLength: 1 },
  errorMessage: 'must be a string or a list of strings.',
} as const;
const peers = { type: 'array', items: { type: 'string', format: 'peer' } } as const;
const keySet = { type: 'string', format: 'key-set-address' } as const;

/** The settings for access to the web UI and the REST API. */
export const authSchema = guarded({
  mode: shown(
    {
      enum: ['none', 'token', 'trusted-header', 'jwt'],
      'x-see': '[Sign-in](hosting.md#sign-in)',
    },
    null,
    'How people sign in. Without it, only this machine has access.',
    'SVC_AUTH_MODE',
  ),
  tokenRef: setting(reference('token'), null, 'For `token`: variable with the access token.'),
  trustedProxies: setting(
    peers,
    null,
    'Trusted proxies: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, `all`.',
  ),
  header: setting(headerName, null, 'For `trusted-header`: header with the user name.'),
  rolesHeader: setting(headerName, null, 'For `trusted-header`: header with the roles.'),
  roles: group({
    read: setting(strings, null, 'Roles that may view everything.'),
    write: setting(strings, null, 'Roles that may do everything.'),
  }),
  jwt: group({
    issuer: setting(text, null, 'For `jwt`: issuer of tokens.'),
    audience: setting(audience, null, 'For `jwt`: audience of tokens, or a list.'),
    jwksUrl: setting(keySet, null, 'For `jwt`: key set; https, or http on this machine.'),
    userClaim: setting(text, 'sub', 'Claim with the user name.'),
    rolesClaim: setting(text, 'roles', 'Claim with the roles.'),
    header: setting(headerName, null, 'Header with the token instead of `Authorization: Bearer`.'),
  }),
});
