import { type Checked, counted, type Issue, invalid, joinPath, success } from '@svc/core';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { STRING_FORMATS } from './formats.ts';
import type { FromSchema } from './types.ts';

/** Checks a value against one JSON Schema and reports every fault with its path. */
export type Validator<T> = (value: unknown) => Checked<T>;

/**
 * Compiles a JSON Schema (Ajv's default dialect, with the formats of `STRING_FORMATS`) into a check whose type comes from the
 * schema. The first 20 issues are reported, and the number of further ones.
 *
 * It is compiled when it is first used, so that a process does not pay for checks it never makes.
 *
 * @throws Error at the first use, when the schema uses a keyword or format that does not exist: a programmer's mistake.
 */
export function createValidator<const S extends object>(schema: S): Validator<FromSchema<S>> {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= compile(schema);
    return check(value)
      ? success(value as FromSchema<S>)
      : invalid(...issuesOf(check.errors ?? []));
  };
}

/** One way in which a value does not match a schema. */
export interface Fault {
  /** The keyword that the value violates, such as `maximum`. */
  readonly keyword: string;
  /** The value of that keyword and of what it found, by Ajv's names, such as `limit` or `missingProperty`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Names of the fields and indexes from the outside in. */
  readonly path: readonly string[];
  /** The invalid name of a field of that map; null if its values are meant. */
  readonly name: string | null;
  /** The part of the schema with the keyword. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

/** What a schema uses besides the standard keywords and the formats of `STRING_FORMATS`. */
export interface SchemaExtensions {
  /** Further string formats by name. */
  readonly formats?: Readonly<Record<string, { read(text: string): unknown }>>;
  /** Names of keywords that only annotate, such as `x-env`. */
  readonly annotations?: readonly string[];
}

/**
 * Compiles a JSON Schema into a function that lists all faults of a value, for callers with messages of their own. It is
 * compiled when it is first used.
 *
 * @throws Error at the first use, when the schema uses a keyword or format that does not exist: a programmer's mistake.
 */
export function createFaultFinder(
  schema: object,
  extensions: SchemaExtensions = {},
): (value: unknown) => readonly Fault[] {
  let find: ReturnType<typeof faultFinderOf> | undefined;
  return (value) => {
    find ??= faultFinderOf(compile(schema, extensions, true));
    return find(value);
  };
}

/** A check that Ajv compiled ahead of time with `AJV_OPTIONS` and `verbose`. */
export interface CompiledCheck {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** Like `createFaultFinder`, for a schema that was compiled before. */
export function faultFinderOf(check: CompiledCheck): (value: unknown) => readonly Fault[] {
  return (value) => (check(value) ? [] : (check.errors ?? []).map(faultOf));
}

function faultOf(error: ErrorObject): Fault {
  const { keyword, params, parentSchema = {}, data, propertyName = null } = error;
  return {
    keyword,
    params,
    path: segmentsOf(error),
    name: propertyName,
    schema: parentSchema,
    value: data,
  };
}

/** How schemas are compiled. */
export const AJV_OPTIONS = {
  allErrors: true,
  allowUnionTypes: true,
  strict: true,
  // The schema's own form is checked by its type; doing it again here would cost more than everything else.
  validateSchema: false,
  meta: false,
} as const;

const MOST_ISSUES = 20;

// A longer list would not be read, and a hostile input can have an issue for each of its bytes.
function issuesOf(errors: readonly ErrorObject[]): Issue[] {
  const shown = errors.slice(0, MOST_ISSUES).map((error) => issueOf(error));
  const rest = errors.length - shown.length;
  return rest === 0
    ? shown
    : [...shown, { path: '', message: `has ${counted(rest, 'more fault')}.` }];
}

function compile(
  schema: object,
  { formats = {}, annotations = [] }: SchemaExtensions = {},
  verbose = false,
): ValidateFunction {
  // Optimizing the generated code takes longer than a few checks, and what is listed in detail is for people.
  const ajv = new Ajv({ ...AJV_OPTIONS, verbose, code: { optimize: !verbose } });
  for (const [name, { read }] of Object.entries({ ...STRING_FORMATS, ...formats })) {
    ajv.addFormat(name, (text: string) => read(text) !== null);
  }
  ajv.addVocabulary([...annotations]);
  return ajv.compile(schema);
}

function issueOf(error: ErrorObject): Issue {
  return { path: pathOf(error), message: predicateOf(error) };
}

function pathOf(error: ErrorObject): string {
  const path = segmentsOf(error);
  const extra = error.params as { missingProperty?: string; additionalProperty?: string };
  const last = extra.missingProperty ?? extra.additionalProperty;
  if (last !== undefined) path.push(last);
  return joinPath(path);
}

function segmentsOf({ instancePath }: ErrorObject): string[] {
  const parts = instancePath.split('/').slice(1);
  return parts.map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

const PREDICATES: Readonly<Record<string, (params: Record<string, unknown>) => string>> = {
  required: () => 'is required.',
  additionalProperties: () => 'is not a known field.',
  enum: (p) => `must be one of ${(p['allowedValues'] as unknown[]).map(quote).join(', ')}.`,
  const: (p) => `must be ${quote(p['allowedValue'])}.`,
  type: (p) => `must be ${article(String(p['type']))}.`,
  minimum: (p) => `must be at least ${p['limit']}.`,
  maximum: (p) => `must be at most ${p['limit']}.`,
  minLength: (p) =>
    p['limit'] === 1 ? 'must not be empty.' : `must have at least ${p['limit']} characters.`,
  maxLength: (p) => `must have at most ${counted(Number(p['limit']), 'character')}.`,
  minItems: (p) => `must have at least ${counted(Number(p['limit']), 'entry', 'entries')}.`,
  format: (p) => STRING_FORMATS[p['format'] as keyof typeof STRING_FORMATS].message,
  maxItems: (p) => `must have at most ${counted(Number(p['limit']), 'entry', 'entries')}.`,
};

function predicateOf(error: ErrorObject): string {
  const predicate = PREDICATES[error.keyword];
  return (
    predicate?.(error.params as Record<string, unknown>) ?? `${error.message ?? 'is not valid'}.`
  );
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function article(types: string): string {
  const named = types
    .split(',')
    .map((type) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`));
  return named.join(' or ').replace('a null', 'null');
}
