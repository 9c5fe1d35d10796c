type Schema = object;
type Fields = Readonly<Record<string, Schema>>;
type NoFields = Readonly<Record<never, Schema>>;

/** The JSON Schema of an object with exactly these fields: `P` are required, `O` are optional. */
export interface Exactly<P, O> {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly Extract<keyof P, string>[];
  readonly properties: P & O;
}

/** An object with exactly these fields, all required except the optional ones. */
export function exactly<const P extends Fields, const O extends Fields = NoFields>(
  properties: P,
  optional?: O,
): Exactly<P, O> {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties) as Extract<keyof P, string>[],
    properties: { ...properties, ...optional } as P & O,
  };
}

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: object;
}

/** The object schema `S` with further fields: `P` are required, `O` are optional. */
export type Extended<S extends ObjectSchema, P, O> = S extends unknown
  ? Omit<S, '$id' | 'required' | 'properties'> & {
      readonly required: readonly (S['required'][number] | Extract<keyof P, string>)[];
      readonly properties: S['properties'] & P & O;
    }
  : never;

/** An object schema with further fields, all required except the optional ones. */
export function extended<
  S extends ObjectSchema,
  const P extends Fields,
  const O extends Fields = NoFields,
>(schema: S, properties: P, optional?: O): Extended<S, P, O> {
  return {
    ...schema,
    required: [...schema.required, ...Object.keys(properties)],
    properties: { ...schema.properties, ...properties, ...optional },
  } as unknown as Extended<S, P, O>;
}

export function listOf<const I extends Schema>(
  items: I,
): { readonly type: 'array'; readonly items: I } {
  return { type: 'array', items };
}

export const text = { type: 'string' } as const;
export const textOrNull = { type: ['string', 'null'] } as const;
export const flag = { type: 'boolean' } as const;
export const integer = { type: 'integer' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
export const firesPerDay = { type: 'number', minimum: 0, description: 'Average.' } as const;
export const id = { type: 'string', format: 'uuid' } as const;
export const texts = listOf(text);

const issueFields = exactly(
  {
    path: { ...text, description: 'Dotted path of the field; empty for the whole input.' },
    message: text,
  },
  { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
);

export const issueSchema = {
  $id: 'Issue',
  description: 'One error in an input: where it is and how to fix it.',
  ...issueFields,
} as const;

export const warnings = {
  ...listOf(issueSchema),
  description: 'Warnings about accepted input; absent if there are none.',
} as const;

/** Errors in results of tools, whose schemas have no ids. */
export const toolIssues = listOf(
  exactly({ path: text, message: text }, { line: integer, column: integer }),
);
