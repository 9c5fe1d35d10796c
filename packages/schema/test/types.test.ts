import { expect, it } from '@jest/globals';
import { createValidator, type FieldsOf, type FromSchema } from '@svc/schema';

// The same only where each is the other in every place, optional and readonly fields included: checked by the compiler.
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(value: T): T => value;

const toolSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'tools'],
  properties: {
    name: { type: 'string', minLength: 1 },
    tools: { type: ['string', 'array'], items: { type: 'string' } },
    mode: { enum: ['plan', 'default'] },
    limit: { type: 'integer', minimum: 1 },
    share: { type: 'number' },
    enabled: { type: 'boolean' },
    model: { type: ['string', 'null'] },
    note: { description: 'Anything.' },
    place: {
      type: ['object', 'null'],
      required: ['path'],
      properties: { path: { type: 'string' }, line: { type: 'integer' } },
    },
  },
} as const;

type ToolArguments = {
  readonly name: string;
  readonly tools: string | readonly string[];
  readonly mode?: 'plan' | 'default';
  readonly limit?: number;
  readonly share?: number;
  readonly enabled?: boolean;
  readonly model?: string | null;
  readonly note?: unknown;
  readonly place?: { readonly path: string; readonly line?: number } | null;
};

it('an object has the fields of its schema, those that are required always', () => {
  isTrue<Same<FromSchema<typeof toolSchema>, ToolArguments>>(true);
  const value: ToolArguments = { name: 'a', tools: ['b'], mode: 'plan', place: { path: 'c' } };
  expect(createValidator(toolSchema)(value)).toEqual({ ok: true, value });
});

const parameters = {
  from: { type: 'string', format: 'date-time' },
  limit: { type: 'integer', minimum: 1 },
  archived: { type: 'boolean' },
  state: { type: 'string', enum: ['queued', 'ended'] },
  outcome: { type: 'array', items: { enum: ['failed', 'missed', null] } },
} as const;

type Query = {
  readonly from?: string;
  readonly limit?: number;
  readonly archived?: boolean;
  readonly state?: 'queued' | 'ended';
  readonly outcome?: readonly ('failed' | 'missed' | null)[];
};

it('fields of a bare map of properties are optional unless they are named', () => {
  isTrue<Same<FieldsOf<typeof parameters>, Query>>(true);
  isTrue<
    Same<
      FieldsOf<{ a: { const: 1 }; b: { type: 'null' } }, 'a'>,
      { readonly a: 1; readonly b?: null }
    >
  >(true);
  const value: Query = { limit: 2, outcome: ['failed', null] };
  expect(createValidator({ type: 'object', properties: parameters })(value).ok).toBe(true);
});

const conditionSchema = {
  oneOf: [
    {
      type: 'object',
      required: ['type', 'cron'],
      properties: { type: { const: 'schedule' }, cron: { type: 'string' } },
    },
    { type: 'object', required: ['type'], properties: { type: { const: 'webhook' } } },
  ],
} as const;

type Condition =
  | { readonly type: 'schedule'; readonly cron: string }
  | { readonly type: 'webhook' };

it('alternatives are a union', () => {
  isTrue<Same<FromSchema<typeof conditionSchema>, Condition>>(true);
  isTrue<Same<FromSchema<{ anyOf: [{ type: 'string' }, { type: 'null' }] }>, string | null>>(true);
  const value: Condition = { type: 'schedule', cron: '@daily' };
  expect(createValidator(conditionSchema)(value).ok).toBe(true);
});

it('what a schema leaves open is unknown', () => {
  isTrue<Same<FromSchema<{ description: 'Anything.' }>, unknown>>(true);
  isTrue<Same<FromSchema<{ type: 'object' }>, Readonly<Record<string, unknown>>>>(true);
  isTrue<Same<FromSchema<{ type: 'array' }>, readonly unknown[]>>(true);
  isTrue<Same<FromSchema<object>, unknown>>(true);
  expect(createValidator({})([1]).ok).toBe(true);
});
