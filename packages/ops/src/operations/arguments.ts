import {
  type Checked,
  createValidator,
  type Issue,
  invalid,
  success,
  textFault,
  type Validator,
} from '@svc/core';
import type { Operation } from './operation.ts';

interface ObjectSchema {
  readonly properties?: Readonly<
    Record<string, { readonly type?: string | readonly string[]; readonly maxItems?: number }>
  >;
  readonly required?: readonly string[];
}

const MOST_ARGUMENTS = 50;
const MOST_ITEMS = 1000;

// Looked at first: checking each of a hundred thousand entries would hold up everybody else.
function sizeFault({ properties = {} }: ObjectSchema, args: unknown): Issue | null {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return null;
  const entries = Object.entries(args);
  if (entries.length > MOST_ARGUMENTS) {
    return { path: '', message: `must be at most ${MOST_ARGUMENTS}.` };
  }
  for (const [key, value] of entries) {
    const most = (Object.hasOwn(properties, key) ? properties[key]?.maxItems : null) ?? MOST_ITEMS;
    if (Array.isArray(value) && value.length > most) {
      return { path: key, message: `must have at most ${most} entries.` };
    }
  }
  return null;
}

/** Makes the check of an operation's arguments. */
export function createArgumentCheck({
  input,
  clearsWithEmpty = false,
}: Pick<Operation, 'input' | 'clearsWithEmpty'>): Validator<unknown> {
  const check = createValidator(input as { readonly type: 'object' });
  const known = Object.keys((input as ObjectSchema).properties ?? {});
  return (args): Checked<unknown> => {
    const fault = sizeFault(input as ObjectSchema, args) ?? textFault(withoutTargets(args));
    if (fault !== null) return invalid(named(fault, known));
    const { rest, emptied } = clearsWithEmpty ? split(input as ObjectSchema, args) : whole(args);
    const checked = check(coerced(input as ObjectSchema, rest));
    if (checked.ok) return success({ ...(checked.value as object), ...emptied });
    return invalid(...checked.issues.map((issue) => named(issue, known)));
  };
}

// What names a target is compared, never kept: another spelling is refused like every other name that is none.
function withoutTargets(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  return { ...args, project: null, session_id: null };
}

interface Split {
  readonly rest: unknown;
  /** Arguments that are an empty text, which their schema need not allow. */
  readonly emptied: Readonly<Record<string, unknown>>;
}

function whole(args: unknown): Split {
  return { rest: args, emptied: {} };
}

function split({ properties = {}, required = [] }: ObjectSchema, args: unknown): Split {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return whole(args);
  const isEmptied = ([key, value]: [string, unknown]): boolean =>
    value === '' && key !== 'project' && Object.hasOwn(properties, key) && !required.includes(key);
  const entries = Object.entries(args);
  return {
    rest: Object.fromEntries(entries.filter((entry) => !isEmptied(entry))),
    emptied: Object.fromEntries(entries.filter(isEmptied)),
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

const UNKNOWN = 'is not a known field.';

function named(issue: Issue, known: readonly string[]): Issue {
  if (issue.path === '' && issue.message !== UNKNOWN) {
    return { ...issue, message: `The arguments ${issue.message}` };
  }
  const unknown = !known.includes(issue.path) && issue.message === UNKNOWN;
  const message = unknown
    ? `${issue.path === '' ? '""' : issue.path} is not an argument of this tool: it takes ${known.join(', ') || 'none'}.`
    : `${issue.path} ${issue.message}`;
  return { ...issue, message };
}
