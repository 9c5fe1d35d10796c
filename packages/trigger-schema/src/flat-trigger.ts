import { type Field, inOrder } from './field-row.ts';
import { ROWS } from './fields.ts';
import type { TriggerRecord } from './trigger-record.schema.ts';

const rows = inOrder(ROWS, ({ field }) => field.flat);

/** JSON Schemas of the fields of the flat form of a trigger; null if a field does not apply. */
export const flatTriggerProperties: Readonly<Record<string, object>> = Object.fromEntries(
  rows.map(({ field }) => [field.flat?.name, flatSchema(field)]),
);

/** The flat form of a record; matches `flatTriggerProperties`. */
export function flatTrigger(record: TriggerRecord): Readonly<Record<string, unknown>> {
  const flat: Record<string, unknown> = {};
  for (const { section, name, field } of rows) {
    const map = (section === null ? record : (record[section] ?? {})) as Record<string, unknown>;
    flat[field.flat?.name ?? name] = map[name] ?? null;
  }
  return flat;
}

function flatSchema({ schema, required, default: filled }: Field): object {
  const type = schema.type ?? 'string';
  const items = schema.items === undefined ? {} : { items: schema.items };
  return { type: required || filled !== undefined ? type : [type, 'null'], ...items };
}
