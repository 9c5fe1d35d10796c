import { inOrder, sentSchema } from './field-row.ts';
import { ROWS, type Row } from './fields.ts';

const rows = inOrder(ROWS, ({ field }) => field.argument);

/** JSON Schemas of the arguments of `set_trigger` that stand for fields, by argument. */
export const triggerArguments: Readonly<Record<string, object>> = Object.fromEntries(
  rows.map(({ field }) => [
    field.argument?.name,
    { ...sentSchema(field), ...field.argument?.schema },
  ]),
);

/** The field that each argument stands for. */
export const PLACES: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => (row.field.argument === undefined ? [] : [[row.field.argument.name, row]])),
);
