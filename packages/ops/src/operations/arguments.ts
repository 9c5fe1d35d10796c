import { type Checked, createValidator, type Issue, invalid, type Validator } from '@svc/core';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string | readonly string[] }>>;
}

/** Makes the check of an operation's arguments. */
export function createArgumentCheck(input: object): Validator<unknown> {
  const check = createValidator(input as { readonly type: 'object' });
  const known = Object.keys((input as ObjectSchema).properties ?? {});
  return (args): Checked<unknown> => {
    const checked = check(coerced(input as ObjectSchema, args));
    return checked.ok ? checked : invalid(...checked.issues.map((issue) => named(issue, known)));
  };
}

// Models write 5 as "5" and true as "true", and give null for what they leave out.
function coerced(schema: ObjectSchema, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const properties = schema.properties ?? {};
  const entries = Object.entries(args).flatMap(([key, value]): [string, unknown][] => {
    const type = Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
    if (type === undefined) return [[key, value]];
    return value === null ? [] : [[key, coercedValue([type].flat(), value)]];
  });
  return Object.fromEntries(entries);
}

function coercedValue(types: readonly string[], value: unknown): unknown {
  if (typeof value !== 'string' || types.includes('string')) return value;
  const text = value.trim();
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const numeric = types.includes('integer') || types.includes('number');
  return numeric && /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}

function named(issue: Issue, known: readonly string[]): Issue {
  if (issue.path === '') return { ...issue, message: `The arguments ${issue.message}` };
  const unknown = !known.includes(issue.path) && issue.message === 'is not a known field.';
  const message = unknown
    ? `${issue.path} is not an argument of this tool: it takes ${known.join(', ') || 'none'}.`
    : `${issue.path} ${issue.message}`;
  return { ...issue, message };
}
