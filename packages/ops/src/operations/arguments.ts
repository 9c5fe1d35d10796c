import { type Checked, type Issue, invalid, isRecord, success, textFault } from '@svc/core';
import { createValidator, publishedArguments, readArguments, type Validator } from '@svc/schema';
import type { InputSchema, Operation } from './operation.ts';

interface PropertySchema {
  readonly maxItems?: number;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required: readonly string[];
}

const MOST_ARGUMENTS = 50;
const MOST_ITEMS = 1000;

/** Fields of an input that identify its target. */
const ADDRESSES: readonly string[] = ['project', 'session_id'];

type Row = Pick<Operation, 'input' | 'subject' | 'checksItself' | 'tool'>;

/** The validator for the input of an operation, read by a surface from an address and a body. */
export function createInputCheck(row: Row): Validator<unknown> {
  const { properties, required = [] } = row.input;
  const addresses = row.subject === undefined ? ADDRESSES : [...ADDRESSES, row.subject];
  const schema = withProperties(row.input, (key, property) => {
    // An invalid address gets the same response as an address of nothing.
    if (addresses.includes(key)) return { type: 'string' };
    return row.checksItself?.includes(key) ? { type: 'object' } : property;
  });
  const check = createValidator(schema as { readonly type: 'object' });
  const facts = { properties, required };
  return (input): Checked<unknown> => {
    if (!isRecord(input)) return invalid({ path: '', message: 'must be an object.' });
    const most = `must have at most ${MOST_ARGUMENTS} fields.`;
    const fault = sizeFault(facts, input, most) ?? textFault(without(input, addresses));
    return fault === null ? check(input) : invalid(fault);
  };
}

/** The validator for tool arguments as models write them; see `readArguments`. */
export function createArgumentCheck(row: Row): Validator<unknown> {
  const input = withoutHidden(row);
  const schema: ObjectSchema = { properties: input.properties, required: input.required ?? [] };
  const check = createValidator(input as { readonly type: 'object' });
  const known = Object.keys(schema.properties);
  const refuse = (issues: readonly Issue[]): Checked<unknown> =>
    invalid(...issues.map((issue) => named(issue, known)));
  return (args): Checked<unknown> => {
    if (!isRecord(args)) return refuse([{ path: '', message: 'must be an object.' }]);
    const most = `must be at most ${MOST_ARGUMENTS}.`;
    const fault = sizeFault(schema, args, most) ?? textFault(without(args, ADDRESSES));
    if (fault !== null) return refuse([fault]);
    const keepsEmpty = (name: string): boolean =>
      row.tool?.clearsWithEmpty === true && name !== 'project';
    const { rest, emptied } = split(schema, readArguments(input, args, { keepsEmpty }));
    const outcome = check(rest);
    if (!outcome.ok) return refuse(outcome.issues);
    return success({ ...(outcome.value as object), ...emptied });
  };
}

/** JSON Schema of the arguments of a tool, in the form that every client accepts. */
export function toolInput(row: Pick<Operation, 'input' | 'tool'>): InputSchema {
  return publishedArguments(withoutHidden(row));
}

function withoutHidden({ input, tool }: Pick<Operation, 'input' | 'tool'>): InputSchema {
  const hidden = tool?.without;
  if (hidden === undefined) return input;
  return withProperties(input, (key, property) => (hidden.includes(key) ? null : property));
}

function withProperties(
  input: InputSchema,
  change: (key: string, property: object) => object | null,
): InputSchema {
  const entries = Object.entries(input.properties).flatMap(([key, property]) => {
    const changed = change(key, property);
    return changed === null ? [] : [[key, changed] as const];
  });
  return { ...input, properties: Object.fromEntries(entries) };
}

type Arguments = Readonly<Record<string, unknown>>;

// Checked first: validating a hundred thousand entries would block other requests.
function sizeFault({ properties }: ObjectSchema, args: Arguments, tooMany: string): Issue | null {
  const entries = Object.entries(args);
  if (entries.length > MOST_ARGUMENTS) return { path: '', message: tooMany };
  for (const [key, value] of entries) {
    const most = (Object.hasOwn(properties, key) ? properties[key]?.maxItems : null) ?? MOST_ITEMS;
    if (Array.isArray(value) && value.length > most) {
      return { path: key, message: `must have at most ${most} entries.` };
    }
  }
  return null;
}

// Names are only compared, so an invalid spelling is handled like an unknown name.
function without(args: Arguments, addresses: readonly string[]): Arguments {
  return { ...args, ...Object.fromEntries(addresses.map((key) => [key, null])) };
}

interface Split {
  readonly rest: Arguments;
  /** Arguments that are an empty text, which their schema need not allow. */
  readonly emptied: Arguments;
}

function split({ properties, required }: ObjectSchema, args: Arguments): Split {
  const isEmptied = ([key, value]: [string, unknown]): boolean =>
    value === '' && Object.hasOwn(properties, key) && !required.includes(key);
  const entries = Object.entries(args);
  return {
    rest: Object.fromEntries(entries.filter((entry) => !isEmptied(entry))),
    emptied: Object.fromEntries(entries.filter(isEmptied)),
  };
}

const UNKNOWN = 'is not a known field.';

// Longer than any valid name.
const LONGEST_SHOWN = 200;

// An empty name would look like the whole input.
function named(issue: Issue, known: readonly string[]): Issue {
  if (issue.message !== UNKNOWN || known.includes(issue.path)) return issue;
  const message = `is not an argument of this tool. It takes ${known.join(', ') || 'none'}.`;
  return { ...issue, path: issue.path.slice(0, LONGEST_SHOWN) || '""', message };
}

/** The fields of an invalid input that still identify its target. */
export function addressIn(
  { input: { properties } }: Pick<Operation, 'input'>,
  input: unknown,
): Readonly<Record<string, string>> {
  if (!isRecord(input)) return {};
  const texts = ADDRESSES.filter((key) => Object.hasOwn(properties, key)).map(
    (key) => [key, Object.hasOwn(input, key) ? input[key] : null] as const,
  );
  return Object.fromEntries(
    texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
