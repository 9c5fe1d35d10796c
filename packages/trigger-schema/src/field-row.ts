/** JSON Schema of one field, with the keywords that the code uses. */
export interface FieldSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly enum?: readonly string[];
  readonly items?: { readonly type: 'string' };
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly description?: string;
}

/**
 * A name in another view of a trigger, and the name that it precedes there if the order differs from that of the
 * rows.
 */
interface OtherName {
  readonly name: string;
  readonly before?: string;
}

/** The definition of one field of a trigger. Schemas, views and types are derived from such rows. */
export interface Field {
  /** JSON Schema in a record. Lists need code that reads them; every other field is read by its schema. */
  readonly schema: FieldSchema;
  /** True if it is required. Default: false. */
  readonly required?: true;
  /** Filled in if the field is absent, so it is in every record. */
  readonly default?: string | number | boolean | readonly string[];
  /** The effective value of an absent field, for fields that a record may omit. */
  readonly assumed?: string | number | boolean;
  /** True if a blank text is the same as absent. Default: false, which makes it a fault. */
  readonly blankIsAbsent?: true;
  /** Maximum duration; marks the text as a duration. */
  readonly longest?: { readonly ms: number; readonly text: string };
  /** The forms of a condition that require it. */
  readonly neededIn?: readonly string[];
  /** The forms of a condition that may also have it. */
  readonly allowedIn?: readonly string[];
  /** Its argument of `set_trigger`, with schema properties that differ. Absent: no argument. */
  readonly argument?: OtherName & {
    readonly schema: Omit<FieldSchema, 'type'> & { type?: unknown };
  };
  /** Its name in the flat form of the tools. Absent: not shown there. */
  readonly flat?: OtherName;
  /** Additional description for editors. */
  readonly editor?: { readonly description: string };
}

/** The rows of one map of a trigger, in the order in which they are written. */
export type Fields = Readonly<Record<string, Field>>;

export type SchemasOf<F extends Fields> = { readonly [K in keyof F]: F[K]['schema'] };

/** The names of the rows that have a property. */
type Having<F extends Fields, Fact> = {
  [K in keyof F]: F[K] extends Fact ? K : never;
}[keyof F] &
  string;

type Filled<F extends Fields> = Having<F, { readonly default: unknown }>;

/** The defaults of some rows, filled in or assumed. */
export type DefaultsOf<F extends Fields> = {
  readonly [K in Filled<F>]: F[K] extends { readonly default: infer D } ? D : never;
} & {
  readonly [K in Having<F, { readonly assumed: unknown }>]: F[K] extends {
    readonly assumed: infer D;
  }
    ? D
    : never;
};

/** The JSON Schemas of some rows, by name. */
export function schemasOf<const F extends Fields>(fields: F): SchemasOf<F> {
  return mapFields(fields, ({ schema }) => schema) as SchemasOf<F>;
}

/** The names of the rows that are in every record, since a default is filled in. */
export function filledIn<const F extends Fields>(fields: F): readonly Filled<F>[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.default !== undefined);
  return names as unknown as readonly Filled<F>[];
}

/** The defaults of some rows. */
export function defaultsOf<const F extends Fields>(fields: F): DefaultsOf<F> {
  const known = Object.entries(fields).map(([name, field]) => [name, standIn(field)] as const);
  const given = known.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as DefaultsOf<F>;
}

/** The effective value of an absent field; undefined if it does not depend on the field alone. */
export function standIn(field: Field): Field['default'] {
  return field.default ?? field.assumed;
}

/** The same map with each row replaced. */
export function mapFields<const F extends Fields, T>(
  fields: F,
  make: (field: Field) => T,
): { readonly [K in keyof F]: T } {
  const entries = Object.entries(fields).map(([name, field]) => [name, make(field)]);
  return Object.fromEntries(entries) as { readonly [K in keyof F]: T };
}

/**
 * The schema without constraints that only apply to records: a text that is sent may be blank, which validation
 * reports.
 */
export function sentSchema({ schema }: Field): FieldSchema {
  const { description: _said, minLength: _least, ...kept } = schema;
  return kept;
}

/** Some rows in the order of one of their other names. */
export function inOrder<T>(rows: readonly T[], nameOf: (row: T) => OtherName | undefined): T[] {
  const named = rows.filter((row) => nameOf(row) !== undefined);
  const ordered = named.filter((row) => nameOf(row)?.before === undefined);
  for (const row of named) {
    const before = nameOf(row)?.before;
    if (before === undefined) continue;
    const at = ordered.findIndex((other) => nameOf(other)?.name === before);
    ordered.splice(at, 0, row);
  }
  return ordered;
}
