import { exactly, type Operation } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';

/** The description of an operation in the document. */
export interface Described extends Pick<Operation, 'summary' | 'input' | 'output'> {
  readonly policy: Pick<Operation['policy'], 'effect'>;
}

/** Names of the session actions. They are not operations, because they decide who may call those. */
export type SessionOperation = 'read_session' | 'sign_in' | 'sign_out';

const sessionSchema: JsonSchema = {
  $id: 'Session',
  description: 'The signed-in caller.',
  ...exactly({
    mode: {
      enum: ['unset', 'none', 'token', 'trusted-header', 'jwt'],
      description:
        'The setting auth.mode. `token` has a sign-in form; `unset` accepts connections from this machine only.',
    },
    signedIn: { type: 'boolean' },
    user: {
      type: ['string', 'null'],
      description: 'null if the sign-in mode does not identify people.',
    },
    role: {
      enum: ['read', 'write', null],
      description: 'null: not signed in, or no valid role.',
    },
  }),
};

const NO_INPUT = { type: 'object', additionalProperties: false, properties: {} } as const;

/** Input of the sign-in. */
export const SIGN_IN_INPUT = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: { type: 'string', minLength: 1, description: 'The access token.' },
  },
} as const;

/** The session actions in the OpenAPI document. */
export const SESSION_OPERATIONS: Readonly<Record<SessionOperation, Described>> = {
  read_session: {
    summary: 'Get the sign-in state and the sign-in mode. Requires no sign-in.',
    policy: { effect: 'reads' },
    input: NO_INPUT,
    output: sessionSchema,
  },
  sign_in: {
    summary: 'Sign in with the access token; sets a cookie.',
    policy: { effect: 'mutates' },
    input: SIGN_IN_INPUT,
    output: sessionSchema,
  },
  sign_out: {
    summary: 'Sign out and invalidate the cookie.',
    policy: { effect: 'mutates' },
    input: NO_INPUT,
    output: sessionSchema,
  },
};
