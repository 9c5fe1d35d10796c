/** JSON Schema of one field, as far as the code asks for its keywords. */
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

/** A name in another view of a trigger, and the one that it stands before there where the order of rows would not do. */
interface OtherName {
  readonly name: string;
  readonly before?: string;
}

/** All that there is to know of one field of a trigger. Schemas, views and types are derived from such rows. */
export interface Field {
  /** JSON Schema in a record. A list needs code that reads it; every other field is read by its schema. */
  readonly schema: FieldSchema;
  /** True where it may not be left out. Default: false. */
  readonly required?: true;
  /** What is filled in where it is absent; such a field is in every record. */
  readonly default?: string | number | boolean | readonly string[];
  /** What its absence comes to, where a record may go without it. */
  readonly assumed?: string | number | boolean;
  /** True where a blank text is the same as absent. Default: false, a fault. */
  readonly blankIsAbsent?: true;
  /** The longest duration; says that the text is one. */
  readonly longest?: { readonly ms: number; readonly text: string };
  /** The forms of a condition that cannot do without it. */
  readonly neededIn?: readonly string[];
  /** The forms of a condition that may have it besides. */
  readonly allowedIn?: readonly string[];
  /** Its argument of `set_trigger`, with what its schema says otherwise. Absent: there is none. */
  readonly argument?: OtherName & {
    readonly schema: Omit<FieldSchema, 'type'> & { type?: unknown };
  };
  /** Its name where tools show a trigger in one level. Absent: it is not shown there. */
  readonly flat?: OtherName;
  /** What editors are told besides. */
  readonly editor?: { readonly description: string };
}

/** The rows of one map of a trigger, in the order in which they are written. */
export type Fields = Readonly<Record<string, Field>>;

export type SchemasOf<F extends Fields> = { readonly [K in keyof F]: F[K]['schema'] };

/** The names of the rows that have a fact. */
type Having<F extends Fields, Fact> = {
  [K in keyof F]: F[K] extends Fact ? K : never;
}[keyof F] &
  string;

type Filled<F extends Fields> = Having<F, { readonly default: unknown }>;

/** The defaults of some rows: those filled in, and those assumed. */
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

/** What stands for the absent ones among some rows. */
export function defaultsOf<const F extends Fields>(fields: F): DefaultsOf<F> {
  const known = Object.entries(fields).map(([name, field]) => [name, standIn(field)] as const);
  const given = known.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as DefaultsOf<F>;
}

/** What an absent field comes to; undefined where that is not a matter of the field alone. */
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

/** The schema without what only holds in a record: a text that is sent may be blank, which is told in words. */
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
