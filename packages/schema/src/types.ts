/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

interface Scalars {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly null: null;
}

type Flat<T> = { [K in keyof T]: T[K] };

/**
 * The type of the values that a JSON Schema describes; the schema stands `as const`. It reads `const`, `enum`, `oneOf`, `anyOf`,
 * `type` (one or several), `items`, `properties` and `required`; what other keywords say is left to the check. `unknown`
 * where none of these is there.
 */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly oneOf: readonly (infer O)[] } | { readonly anyOf: readonly (infer O)[] }
      ? OneOf<O>
      : S extends { readonly type: readonly (infer T)[] }
        ? OfType<T, S>
        : S extends { readonly type: infer T }
          ? OfType<T, S>
          : unknown;

// Goes through a union one by one.
type OneOf<S> = S extends unknown ? FromSchema<S> : never;

type OfType<T, S> = T extends keyof Scalars
  ? Scalars[T]
  : T extends 'array'
    ? readonly (S extends { readonly items: infer I } ? FromSchema<I> : unknown)[]
    : T extends 'object'
      ? S extends { readonly properties: infer P }
        ? FieldsOf<P, NamesIn<S>>
        : Readonly<Record<string, unknown>>
      : never;

type NamesIn<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

/** The type of an object whose fields have the schemas `P`; those named in `R` (default: none) are always there. */
export type FieldsOf<P, R = never> = Flat<
  { readonly [K in Extract<keyof P, R>]: FromSchema<P[K]> } & {
    readonly [K in Exclude<keyof P, R>]?: FromSchema<P[K]>;
  }
>;
