type Json = Readonly<Record<string, unknown>>;

// The content of these is data, not schema.
const DATA = new Set(['example', 'default', 'enum']);

/** The same document as OpenAPI 3.0, for generators that support no later version. */
export function toOpenApi30(document: Json): Json {
  const { info, ...rest } = converted(document) as { info: { license: object } };
  const license = { name: 'MIT' };
  return { ...rest, info: { ...info, license }, openapi: '3.0.3' };
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    DATA.has(key) ? inner : converted(inner),
  ]);
  return withoutUnions(withoutTypeLists(withoutConst(Object.fromEntries(entries))));
}

function withoutConst({ const: only, ...schema }: Json): Json {
  if (only === undefined) return schema;
  // Generators create enums from listed values.
  return typeof only === 'string' ? { ...schema, enum: [only] } : { ...schema, type: typeof only };
}

function withoutTypeLists(schema: Json): Json {
  const { type, enum: listed, ...rest } = schema;
  if (Array.isArray(listed)) {
    const values = listed.filter((value) => value !== null);
    const nullable = values.length < listed.length ? { nullable: true } : {};
    return { ...rest, type: typeof values[0], enum: values, ...nullable };
  }
  if (type === 'null') return { ...rest, type: 'object', nullable: true };
  if (!Array.isArray(type)) return schema;
  const kinds = type.filter((kind) => kind !== 'null');
  const kind = kinds.length === 1 ? { type: kinds[0] } : {};
  return { ...rest, ...kind, nullable: kinds.length < type.length };
}

// One of several, or null: the only one without null, or else any object.
function withoutUnions(schema: Json): Json {
  const { anyOf, oneOf, ...rest } = schema;
  const either = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (either === undefined) return schema;
  const kinds = either.filter((kind) => !isNull(kind));
  const nullable = { nullable: kinds.length < either.length };
  const [first] = kinds;
  if (kinds.length > 1 || first === undefined) return { ...rest, type: 'object', ...nullable };
  return { ...rest, ...('$ref' in first ? { allOf: [first] } : first), ...nullable };
}

// It may have been converted already.
const isNull = (kind: Json): boolean =>
  kind['type'] === 'object' && kind['nullable'] === true && Object.keys(kind).length === 2;
