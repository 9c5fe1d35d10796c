import { exactly, type Operation } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';

/** What a route is told of what it carries out. */
export interface Described extends Pick<Operation, 'summary' | 'input' | 'output'> {
  readonly policy: Pick<Operation['policy'], 'effect'>;
}

/** Names of what a session is asked for; they are no operations, since they decide who may have those. */
export type SessionOperation = 'read_session' | 'sign_in' | 'sign_out';

const sessionSchema: JsonSchema = {
  $id: 'Session',
  description: 'Who is asking, as far as the service knows.',
  ...exactly({
    mode: {
      enum: ['unset', 'none', 'token', 'trusted-header', 'jwt'],
      description:
        'How people are known, as the setting auth.mode has it: `token` is the one that has a form to sign in with; `unset` lets in this machine alone.',
    },
    signedIn: { type: 'boolean' },
    user: { type: ['string', 'null'], description: 'null where nobody is told apart.' },
    role: {
      enum: ['read', 'write', null],
      description: 'null: nobody is signed in, or no role of theirs counts here.',
    },
  }),
};

const NO_INPUT = { type: 'object', additionalProperties: false, properties: {} } as const;

/** What signing in takes. */
export const SIGN_IN_INPUT = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: { type: 'string', minLength: 1, description: 'The access token.' },
  },
} as const;

/** What a session can be asked for, as the OpenAPI document tells it. */
export const SESSION_OPERATIONS: Readonly<Record<SessionOperation, Described>> = {
  read_session: {
    summary: 'Whether somebody is signed in, and how that is done. Anybody may ask.',
    policy: { effect: 'reads' },
    input: NO_INPUT,
    output: sessionSchema,
  },
  sign_in: {
    summary: 'Signs in with the access token, and gives a cookie. Anybody may try.',
    policy: { effect: 'mutates' },
    input: SIGN_IN_INPUT,
    output: sessionSchema,
  },
  sign_out: {
    summary: 'Signs out: the cookie is worth nothing from now on.',
    policy: { effect: 'mutates' },
    input: NO_INPUT,
    output: sessionSchema,
  },
};
