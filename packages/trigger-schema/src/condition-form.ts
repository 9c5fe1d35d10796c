import type { TriggerType } from '@svc/records';
import type { Field, SchemasOf } from './field-row.ts';
import { CONDITION_FORMS, conditionFields } from './trigger-fields.schema.ts';

type Rows = typeof conditionFields;
type Forms = typeof CONDITION_FORMS;
type FormName = keyof Forms;
type Membership = 'neededIn' | 'allowedIn';

type In<Fact extends Membership, Name> = {
  [K in keyof Rows]: Rows[K] extends { readonly [F in Fact]: readonly (infer Form)[] }
    ? Name extends Form
      ? K
      : never
    : never;
}[keyof Rows];

export interface FormSchema<Name extends FormName> {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly ('type' | In<'neededIn', Name>)[];
  readonly properties: { readonly type: { readonly const: Forms[Name] } } & Pick<
    SchemasOf<Rows>,
    In<'neededIn', Name> | In<'allowedIn', Name>
  >;
}

/** JSON Schema of one form of a condition: its type, its required fields and its optional fields. */
export function conditionForm<const Name extends FormName>(name: Name): FormSchema<Name> {
  const needed = fieldsIn(name, 'neededIn');
  const fields = [...needed, ...fieldsIn(name, 'allowedIn')];
  return {
    type: 'object',
    additionalProperties: false,
    required: ['type', ...needed.map(([field]) => field)],
    properties: {
      type: { const: CONDITION_FORMS[name] },
      ...Object.fromEntries(fields.map(([field, { schema }]) => [field, schema])),
    },
  } as unknown as FormSchema<Name>;
}

/** The types of condition that a field belongs to; empty for the type itself, which belongs to all. */
export function typesOf(field: string): TriggerType[] {
  const row: Field | undefined = (conditionFields as Readonly<Record<string, Field>>)[field];
  const forms = [...(row?.neededIn ?? []), ...(row?.allowedIn ?? [])];
  return forms.map((form) => CONDITION_FORMS[form as FormName]);
}

function fieldsIn(form: FormName, fact: Membership): [string, Field][] {
  return Object.entries<Field>(conditionFields).filter(([, row]) => row[fact]?.includes(form));
}
