import { type Checked, type Issue, invalid, isId, success } from '@svc/core';
import { createValidator } from '@svc/schema';
import type { JsonSchema } from './json-schema.ts';

// What is known of a schema that is handed around as data.
interface PlainSchema {
  readonly type: 'object';
}

/** Schema of one query parameter. */
export type ParameterSchema = JsonSchema & {
  /** An array is written as a list with commas. */
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly format?: keyof typeof FORMATS;
};

/** The query parameters of a route. */
export interface QuerySpec<Q> {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
  /** Reads what stands behind the `?` of an address. */
  parse(search: string): Checked<Q>;
}

/** The body of a route. */
export interface BodySpec<B> {
  readonly schema: JsonSchema;
  readonly required: boolean;
  parse(body: object): Checked<B>;
}

type ValueOf<P extends ParameterSchema> = P extends { readonly type: 'integer' }
  ? number
  : P extends { readonly type: 'boolean' }
    ? boolean
    : P extends { readonly type: 'array'; readonly items: { readonly enum: readonly (infer E)[] } }
      ? readonly E[]
      : P extends { readonly enum: readonly (infer E)[] }
        ? E
        : string;

type QueryOf<P extends Readonly<Record<string, ParameterSchema>>> = {
  readonly [K in keyof P]?: ValueOf<P[K]>;
};

const FORMATS = {
  'date-time': {
    read: readInstant,
    message: 'must be a time with its zone, e.g. 2026-03-01T09:00:00Z.',
  },
  uuid: {
    read: (text: string) => (isId(text) ? text : null),
    message: 'must be an id as this service mints them, a lower-case UUID.',
  },
} as const;

/**
 * Compiles the check of a query: unknown, repeated and empty parameters are faults; integers and booleans are read
 * from their text; times become UTC ISO text.
 */
export function query<const P extends Readonly<Record<string, ParameterSchema>>>(
  properties: P,
): QuerySpec<QueryOf<P>> {
  const validate = validatorOf(properties);
  return {
    properties,
    parse(search) {
      const { values, issues } = readParameters(new URLSearchParams(search), properties);
      const checked = validate(values);
      if (!checked.ok) issues.push(...checked.issues.map(ofParameter));
      const faulty = new Set(issues.map((issue) => issue.path));
      for (const [name, value] of Object.entries(values)) {
        const format = properties[name]?.format;
        if (format === undefined || faulty.has(name)) continue;
        const read = FORMATS[format].read(String(value));
        if (read === null) issues.push({ path: name, message: FORMATS[format].message });
        else values[name] = read;
      }
      return issues.length === 0 ? success(values as QueryOf<P>) : invalid(...issues);
    },
  };
}

// An entry of a list is told as the parameter that it stands in.
function ofParameter(issue: Issue): Issue {
  return { ...issue, path: issue.path.replace(/\[\d+\]$/, '') };
}

function validatorOf(properties: Readonly<Record<string, ParameterSchema>>) {
  const bare = Object.entries(properties).map(([name, { format: _, ...schema }]) => [
    name,
    schema.type === 'string' ? { minLength: 1, ...schema } : schema,
  ]);
  return createValidator({
    type: 'object',
    properties: Object.fromEntries(bare),
  } as PlainSchema);
}

function readParameters(
  given: URLSearchParams,
  properties: Readonly<Record<string, ParameterSchema>>,
): { values: Record<string, unknown>; issues: Issue[] } {
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  const names = new Set(given.keys());
  for (const name of names) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const fault = schema === undefined ? unknownFault(properties) : textFault(given.getAll(name));
    if (fault !== null) issues.push({ path: name, message: fault });
    else values[name] = readValue(schema?.type, given.get(name) ?? '');
  }
  return { values, issues };
}

function unknownFault(properties: Readonly<Record<string, ParameterSchema>>): string {
  const known = Object.keys(properties);
  const choice = known.length === 0 ? 'this address takes none' : `known are ${known.join(', ')}`;
  return `is not a known parameter: ${choice}.`;
}

function textFault(texts: readonly string[]): string | null {
  if (texts.length > 1) return 'must be given only once.';
  return texts[0]?.includes('\0') ? 'must not hold a NUL character.' : null;
}

function readValue(type: ParameterSchema['type'] | undefined, text: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (type === 'array') return text.split(',');
  return text;
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

// Date.parse takes 30 February for 2 March, so the day is looked at by itself.
function readInstant(text: string): string | null {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  if (year === undefined || Number.isNaN(Date.parse(text))) return null;
  const date = new Date(`${year}-${month}-01T00:00:00Z`);
  date.setUTCDate(Number(day));
  return date.getUTCMonth() + 1 === Number(month) ? new Date(text).toISOString() : null;
}

/** The body of a route, checked against its schema here; `B` is the type that the schema describes. */
export function body<B>(schema: JsonSchema, options: { required: boolean }): BodySpec<B> {
  const validate = createValidator(schema as object as PlainSchema);
  return {
    schema,
    required: options.required,
    parse(value) {
      const checked = validate(value);
      return checked.ok ? success(checked.value as B) : checked;
    },
  };
}

/** The body of a route whose operation checks it; the schema is for readers. */
export function bodyPassedOn(schema: JsonSchema): BodySpec<object> {
  return { schema, required: true, parse: success };
}

/** The query of a route that takes none. */
export const NO_QUERY: QuerySpec<unknown> = {
  properties: {},
  parse(search) {
    const { issues } = readParameters(new URLSearchParams(search), {});
    return issues.length === 0 ? success({}) : invalid(...issues);
  },
};
