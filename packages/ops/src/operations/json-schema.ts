/** A JSON Schema (draft 2020-12) as plain data; one with an `$id` becomes a named component of the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;
