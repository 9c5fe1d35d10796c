// Parts of the schema of settings. `settingsSchema` documents the annotations.

/** A group of settings. */
export const group = <const P>(properties: P) =>
  ({ type: 'object', additionalProperties: false, properties }) as const;

/** A group in which an unknown key is an error, because ignoring it would be dangerous. */
export const guarded = <const P>(properties: P) =>
  ({ ...group(properties), 'x-guarded': true }) as const;

/** A setting with its default (null: none) and the environment variables that set it. */
export const setting = <const S, const D>(
  schema: S,
  fallback: D,
  description: string,
  ...env: readonly string[]
) => ({ ...schema, default: fallback, description, 'x-env': env }) as const;

/** A setting whose effective value is shown to users. */
export const shown = <const S, const D>(
  schema: S,
  fallback: D,
  description: string,
  ...env: readonly string[]
) => ({ ...setting(schema, fallback, description, ...env), 'x-shown': true }) as const;

export const text = { type: 'string', format: 'text' } as const;
export const line = { type: 'string', format: 'line' } as const;
export const flag = { type: 'boolean', 'x-takesEmpty': true } as const;
export const duration = { type: 'string', format: 'duration' } as const;
export const size = { type: ['integer', 'string'], minimum: 1, format: 'size' } as const;
export const whole = (minimum: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum }) as const;
export const number = (minimum: number, maximum: number, example = '') =>
  ({
    type: 'number',
    minimum,
    maximum,
    errorMessage: `must be a number from ${minimum} to ${maximum}${example}.`,
  }) as const;
/** A duration that may be `0s`. */
export const pause = {
  type: ['string', 'integer'],
  format: 'pause',
  minimum: 0,
  maximum: 0,
} as const;
export const strings = { type: 'array', items: { type: 'string', minLength: 1 } } as const;
export const program = {
  type: 'string',
  pattern: '^(?=.*\\S)[^\\x00-\\x1f\\x7f-\\x9f]+$',
  errorMessage: 'must be the name or path of a program.',
} as const;
export const programArguments = setting(
  { type: 'array', items: { type: 'string', pattern: '^[^\\x00]*$' } },
  [],
  'Arguments of the program.',
);

export const headerName = {
  type: 'string',
  pattern: "^(?!__proto__$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
  errorMessage: 'must be the name of a header.',
} as const;
/** Printable ASCII without leading or trailing spaces. */
export const headerValuePattern = '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$';

/** Names of sinks and runtimes. */
export const ownName = {
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  errorMessage:
    'must be a name of lower-case letters, digits, - and _, starting with a letter, at most 64 characters.',
} as const;

const VARIABLE = '[A-Za-z_][A-Za-z0-9_]*';
export const variables = {
  type: 'array',
  items: { type: 'string', pattern: `^${VARIABLE}$` },
  errorMessage: 'must be a list of environment variable names: values must not be in the file.',
} as const;

/** `env:NAME`, the environment variable with a secret. */
export const reference = (secret: string) =>
  ({
    type: 'string',
    pattern: `^env:${VARIABLE}$`,
    errorMessage: `must be env:NAME, the environment variable that holds the ${secret}: a ${secret} must not be in the file.`,
  }) as const;

/** `{ ref: env:NAME }`. */
export const referenceMap = (secret: string) =>
  ({
    ...guarded({ ref: reference(secret) }),
    required: ['ref'],
    errorMessage: `must be { ref: env:NAME }: a ${secret} must not be in the file.`,
  }) as const;

const price = {
  ...number(0, 100_000),
  default: null,
  errorMessage: 'must be a number of US dollars from 0 to 100000.',
} as const;
/** Prices of tokens, for a runtime that reports no cost. */
export const prices = setting(
  {
    ...group({ inputPerMillionUsd: price, outputPerMillionUsd: price }),
    dependencies: {
      inputPerMillionUsd: ['outputPerMillionUsd'],
      outputPerMillionUsd: ['inputPerMillionUsd'],
    },
    errorMessage: 'must be a map with inputPerMillionUsd and outputPerMillionUsd.',
  },
  null,
  'Prices in US dollars, to compute the cost: `inputPerMillionUsd` and `outputPerMillionUsd`.',
);
