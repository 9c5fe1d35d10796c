/** JSON Schema of the arguments of a tool, as far as it decides how they are read and published. */
export interface ArgumentSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** How arguments are read. */
export interface ArgumentOptions {
  /** Whether the empty text of an optional argument is a value of its own. Default: it stands for what is left out. */
  readonly keepsEmpty?: (name: string) => boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Reads the arguments of a tool as models write them, before they are checked: `"5000"` is a number and `"true"` a boolean
 * where the schema wants one, `null` stands for what is left out, and so does the empty text of an optional argument. What the
 * schema does not know stays as it is.
 */
export function readArguments(
  { properties, required = [] }: ArgumentSchema,
  args: Arguments,
  { keepsEmpty = () => false }: ArgumentOptions = {},
): Record<string, unknown> {
  const entries = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, value]];
    const isLeftOut =
      value === null || (value === '' && !required.includes(name) && !keepsEmpty(name));
    return isLeftOut ? [] : [[name, readValue(typesOf(properties[name]), value)]];
  });
  return Object.fromEntries(entries);
}

/**
 * The schema of arguments in the form that every client accepts: each property has exactly one `type`. Of several types the
 * list is published, since a list is what models write best; what else is accepted belongs into the description.
 */
export function publishedArguments<S extends ArgumentSchema>(schema: S): S {
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, { ...property, type: publishedType(property) }] as const,
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

interface Typed {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
}

function typesOf(property: Typed | undefined): readonly string[] {
  const { type, enum: values = [] } = property ?? {};
  return type === undefined ? [...new Set(values.map((value) => typeof value))] : [type].flat();
}

function publishedType(property: Typed): string | undefined {
  const types = typesOf(property);
  return types.includes('array') ? 'array' : types.find((type) => type !== 'null');
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

function readValue(types: readonly string[], value: unknown): unknown {
  if (typeof value !== 'string' || types.includes('string')) return value;
  const text = value.trim();
  if (types.includes('boolean') && /^(true|false)$/i.test(text)) return /^t/i.test(text);
  const isNumeric = types.includes('integer') || types.includes('number');
  return isNumeric && NUMBER.test(text) ? Number(text) : value;
}
