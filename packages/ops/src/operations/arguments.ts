import { type Checked, type Issue, invalid, isRecord, success, textFault } from '@svc/core';
import { createValidator, type Validator } from '@svc/schema';
import type { Operation } from './operation.ts';

interface ObjectSchema {
  readonly properties?: Readonly<
    Record<string, { readonly type?: string | readonly string[]; readonly maxItems?: number }>
  >;
  readonly required?: readonly string[];
}

const MOST_ARGUMENTS = 50;
const MOST_ITEMS = 1000;

/** Makes the check of an operation's arguments. */
export function createArgumentCheck({
  input,
  clearsWithEmpty = false,
}: Pick<Operation, 'input' | 'clearsWithEmpty'>): Validator<unknown> {
  const schema = input as ObjectSchema;
  const check = createValidator(input as { readonly type: 'object' });
  const known = Object.keys(schema.properties ?? {});
  const refuse = (issues: readonly Issue[]): Checked<unknown> =>
    invalid(...issues.map((issue) => named(issue, known)));
  return (args): Checked<unknown> => {
    if (!isRecord(args)) return refuse([{ path: '', message: 'must be an object.' }]);
    const fault = sizeFault(schema, args) ?? textFault(withoutTargets(args));
    if (fault !== null) return refuse([fault]);
    const { rest, emptied } = clearsWithEmpty ? split(schema, args) : { rest: args, emptied: {} };
    const outcome = check(coerced(schema, rest));
    if (!outcome.ok) return refuse(outcome.issues);
    return success({ ...(outcome.value as object), ...emptied });
  };
}

type Arguments = Readonly<Record<string, unknown>>;

// Looked at first: checking each of a hundred thousand entries would hold up everybody else.
function sizeFault({ properties = {} }: ObjectSchema, args: Arguments): Issue | null {
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

// What names a target is compared, never kept: another spelling is refused like every other name that is none.
function withoutTargets(args: Arguments): Arguments {
  return { ...args, project: null, session_id: null };
}

interface Split {
  readonly rest: Arguments;
  /** Arguments that are an empty text, which their schema need not allow. */
  readonly emptied: Arguments;
}

function split({ properties = {}, required = [] }: ObjectSchema, args: Arguments): Split {
  const isEmptied = ([key, value]: [string, unknown]): boolean =>
    value === '' && key !== 'project' && Object.hasOwn(properties, key) && !required.includes(key);
  const entries = Object.entries(args);
  return {
    rest: Object.fromEntries(entries.filter((entry) => !isEmptied(entry))),
    emptied: Object.fromEntries(entries.filter(isEmptied)),
  };
}

// Models write 5 as "5" and true as "true", and give null for what they leave out.
function coerced({ properties = {} }: ObjectSchema, args: Arguments): Arguments {
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

// A name that is empty would be taken for the whole.
function named(issue: Issue, known: readonly string[]): Issue {
  if (issue.message !== UNKNOWN || known.includes(issue.path)) return issue;
  const message = `is not an argument of this tool: it takes ${known.join(', ') || 'none'}.`;
  return { ...issue, path: issue.path || '""', message };
}
