import { isRecord } from '@svc/core';
import type { FromSchema } from '@svc/schema';
import { formatOf, type SETTING_FORMATS } from './formats.ts';
import { settingsSchema } from './settings.schema.ts';

/** A part of the schema of settings. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: false | SchemaNode;
  readonly default?: unknown;
  readonly description?: string;
  readonly errorMessage?: string;
  readonly 'x-env'?: readonly string[];
  readonly 'x-refusesEmpty'?: boolean;
  readonly 'x-takesEmpty'?: boolean;
  readonly 'x-ofHost'?: boolean;
  readonly 'x-guarded'?: boolean;
  readonly 'x-shown'?: boolean;
  readonly 'x-see'?: string;
  readonly 'x-missing'?: string;
}

/** The keywords of the schema that only annotate. */
export const ANNOTATIONS = [
  'errorMessage',
  ...['x-env', 'x-refusesEmpty', 'x-takesEmpty', 'x-ofHost', 'x-guarded', 'x-shown', 'x-see'],
  'x-missing',
] as const;

/** A setting: its place in the file, environment variables and schema. */
export interface Setting {
  readonly key: string;
  readonly path: readonly string[];
  readonly env: readonly string[];
  readonly schema: SchemaNode;
}

/** The schema of the whole file. */
export const ROOT: SchemaNode = settingsSchema;

/** All settings of `svc.config.yaml`. */
export const SETTING_TABLE: readonly Setting[] = settingsBelow(ROOT, []);

function settingsBelow(schema: SchemaNode, path: readonly string[]): Setting[] {
  if ('default' in schema) {
    return [{ key: path.join('.'), path, env: schema['x-env'] ?? [], schema }];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    settingsBelow(member, [...path, name]),
  );
}

/** The schema of a map of values by key. */
export const SCHEMA_BY_KEY = {
  type: 'object',
  properties: Object.fromEntries(SETTING_TABLE.map(({ key, schema }) => [key, schema])),
} as const;

/** The types of a part of the schema; a choice has texts. */
export function typesOf({ type = 'string' }: SchemaNode): readonly string[] {
  return [type].flat();
}

type Formats = typeof SETTING_FORMATS;

/** The value that a valid text or map of the file stands for: with defaults, and in the units of its formats. */
type ValueOf<S> =
  | (S extends { readonly default: null } ? null : never)
  | (S extends { readonly format: infer F extends keyof Formats }
      ? NonNullable<ReturnType<Formats[F]['read']>> | Extract<FromSchema<S>, null>
      : S extends { readonly type: readonly unknown[] }
        ? FromSchema<S>
        : S extends { readonly properties: infer P }
          ? { readonly [K in keyof P]: ValueOf<P[K]> }
          : S extends { readonly additionalProperties: infer A extends object }
            ? Readonly<Record<string, ValueOf<A>>>
            : FromSchema<S>);

/** The values of all settings. */
export type SettingValues = ValueOf<typeof settingsSchema>;

/** All values by group, from the value of each setting. */
export function groupValues(find: (key: string) => unknown): SettingValues {
  const below = ({ properties = {} }: SchemaNode, prefix: string): unknown =>
    mapFields(properties, (name, member) =>
      'default' in member ? find(prefix + name) : below(member, `${prefix}${name}.`),
    );
  return below(ROOT, '') as SettingValues;
}

/** Reads a valid value: fills in defaults, and converts texts with a format. */
export function readValue(schema: SchemaNode, given: unknown): unknown {
  const value = given === undefined ? schema.default : given;
  if (value === null || value === undefined) return value;
  const format = formatOf(schema);
  if (format !== undefined) return format.read(value as string);
  if (!isRecord(value)) return value;
  if (schema.properties !== undefined)
    return mapFields(schema.properties, (name, member) => readValue(member, value[name]));
  return mapFields(value, (name, field) => readValue(memberOf(schema, name) ?? {}, field));
}

/** The schema of a member of a map; undefined if it is not known. */
export function memberOf(schema: SchemaNode, name: string): SchemaNode | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties || undefined;
}

type MapOf<V> = Readonly<Record<string, V>>;

/** The same map with other values; undefined ones are left out. */
export function mapFields<V>(
  map: MapOf<V>,
  change: (name: string, field: V) => unknown,
): MapOf<unknown> {
  const entries = Object.entries(map).map(([name, field]) => [name, change(name, field)] as const);
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined));
}
