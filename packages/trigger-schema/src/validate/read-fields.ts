import type { Field } from '../field-row.ts';
import { fieldsOf, type Section } from '../fields.ts';
import { hasHalfCharacter } from '../plain.ts';
import { readDuration } from './duration.ts';
import {
  fault,
  readBoolean,
  readChoice,
  readNumber,
  readText,
  readWhole,
  type Scope,
} from './scope.ts';

const LONGEST_LINE = 200;

/** Readers of fields that need more than their row. */
type ByHand = Readonly<Record<string, () => unknown>>;

/**
 * Reads the fields of a map in the order of their rows, by row or by their own reader, and fills in defaults.
 * Absent and faulty fields without a default are omitted.
 */
export function readFields(
  scope: Scope,
  section: Section,
  byHand: ByHand,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fieldsOf(section))) {
    const read = byHand[name] ?? (() => readField(scope, name, field));
    const value = read() ?? field.default;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readField(scope: Scope, name: string, { schema, longest }: Field): unknown {
  if (schema.enum !== undefined) return readChoice(scope, name, schema.enum);
  if (schema.type === 'integer') return readWhole(scope, name, schema.minimum ?? 0, schema.maximum);
  if (schema.type === 'number') {
    return readNumber(scope, name, schema.exclusiveMinimum, schema.maximum);
  }
  if (schema.type === 'boolean') return readBoolean(scope, name);
  if (longest !== undefined) return readDuration(scope, name, longest);
  return readLine(scope, name, schema.maxLength ?? LONGEST_LINE);
}

function readLine(scope: Scope, name: string, longest: number): string | undefined {
  const line = readText(scope, name, longest);
  if (line === undefined || !(/\p{Cc}/u.test(line) || hasHalfCharacter(line))) return line;
  return fault(scope, name, 'must not contain control characters or lone surrogates');
}
