import { abridged, isPlainName, isRecord, listed } from '@svc/core';
import { type Fault, readArguments } from '@svc/schema';
import { didYouMean, meantName } from '@svc/trigger-schema';
import { findFaults } from './find-faults.ts';
import { formatOf } from './formats.ts';
import {
  mapFields,
  memberOf,
  SCHEMA_BY_KEY,
  type SchemaNode,
  type Setting,
  typesOf,
} from './setting-table.ts';

/** A value of a setting. */
export interface GivenValue {
  readonly setting: Setting;
  readonly value: unknown;
}

/** A problem of a value, with the names of the fields and indexes from the outside in. */
export interface ValueIssue {
  readonly path: readonly string[];
  readonly message: string;
  /** Whether it is only an unknown key, which has no effect. */
  readonly isUnknown: boolean;
  /** Whether the last name of the path may be a secret. */
  readonly isHidden: boolean;
}

/** The problem of a group that is no map. */
export const NO_MAP = 'must be a map of settings.';

/** Maximum number of reported faults. */
export const MOST_FAULTS = 100;

/** The problem of an unknown key: of the key, or of its group if the key must not be repeated. */
export function unknownKey(
  group: readonly string[],
  name: string,
  meant: string | null,
  hint = '',
) {
  const known = hint === '' && meant !== null ? ` Did you mean ${meant}?` : hint;
  return mayRepeat(group, name, meant)
    ? { message: `is not a known setting.${known}`, isHidden: false }
    : {
        message: `has a key that is not a known setting.${known || ' A colon may be missing.'}`,
        isHidden: true,
      };
}

const WITH_SECRETS = /^(auth|database|notify|runtime)(\.|$)/;

// Without its colon, a secret is part of the key.
function mayRepeat(group: readonly string[], name: string, meant: string | null): boolean {
  return isPlainName(name) && (meant !== null || !WITH_SECRETS.test(group[0] ?? ''));
}

/**
 * Checks the values of settings, by key. Numbers and booleans may be texts, as in the environment; null counts as absent.
 */
export function checkValues(given: readonly GivenValue[]) {
  const written = Object.fromEntries(given.map(({ setting, value }) => [setting.key, value]));
  const values = withoutAbsent(SCHEMA_BY_KEY, written) as Readonly<Record<string, unknown>>;
  if (Object.keys(values).length === 0) return { values, issues: [] as ValueIssue[] };
  const all = findFaults(values);
  const isUnknown = ({ keyword }: Fault): boolean => keyword === 'additionalProperties';
  // Unknown keys can be warnings, so they must not displace errors.
  const sorted = [...all.filter((fault) => !isUnknown(fault)), ...all.filter(isUnknown)];
  const found = sorted.slice(0, MOST_FAULTS);
  const issues = found.flatMap((fault) => issueOf(SCHEMA_BY_KEY, fault) ?? []);
  // A value can violate several keywords, and a map that is wrong as a whole also has wrong fields.
  const isFirst = ({ path }: ValueIssue, n: number): boolean =>
    !issues.some((other, at) => {
      const isAround = other.path.every((name, level) => name === path[level]);
      return isAround && (other.path.length < path.length || at < n);
    });
  return { values, issues: issues.filter(isFirst) };
}

function withoutAbsent(schema: SchemaNode, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { properties = {} } = schema;
  const keepsEmpty = (name: string) => properties[name]?.['x-takesEmpty'] !== true;
  const read = readArguments({ properties }, value, { keepsEmpty });
  // What the schema does not describe stays as it is.
  const fields = schema.properties === undefined ? value : read;
  return mapFields(fields, (name, field) => withoutAbsent(memberOf(schema, name) ?? {}, field));
}

function issueOf(root: SchemaNode, fault: Fault): ValueIssue | null {
  const { keyword, params, name, value } = fault;
  const { node, path } = partAt(root, fault.path);
  const issue = (at: readonly string[], message: string): ValueIssue => ({
    path: at,
    message,
    isUnknown: false,
    isHidden: false,
  });
  if (name !== null) {
    const ofName = issue([...path, name], wanted(fault.schema));
    // Other faults are those of reserved names.
    return keyword === 'pattern'
      ? { ...ofName, message: `has a key that ${ofName.message}`, isHidden: true }
      : ofName;
  }
  switch (keyword) {
    case 'propertyNames':
      return null;
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      // The key may be a secret.
      if (node['x-guarded'] === true) return issue(path, wanted(node));
      const meant = meantName(key, Object.keys(node.properties ?? {}));
      return { path: [...path, key], ...unknownKey(path, key, meant), isUnknown: true };
    }
    case 'dependencies':
    case 'required': {
      const at = [...path, String(params['missingProperty'])];
      const member = partAt(root, at).node;
      const needed = `is required because ${[...path, params['property']].join('.')} is set.`;
      const message = keyword === 'required' ? wanted(member) : needed;
      return issue(at, member['x-missing'] ?? message);
    }
    default:
      return issue(path, wanted(node, value, path.length < fault.path.length));
  }
}

/** The part of the schema at a path, or the list or map of plain values that contains it. */
function partAt(root: SchemaNode, path: readonly string[]) {
  let node = root;
  for (const [n, name] of path.entries()) {
    const member = memberOf(node, name);
    const isPlain = Object.keys(member ?? {}).length < 2;
    if (member === undefined || isPlain) return { node, path: path.slice(0, n) };
    node = member;
  }
  return { node, path };
}

const LONGEST_VALUE = 40;

/** What is valid, as the rest of a sentence that begins with the name of the setting. */
function wanted(node: SchemaNode, value?: unknown, isOfItem = false): string {
  const { items, minimum, maximum } = node;
  const types = typesOf(node);
  if (items?.enum !== undefined) {
    const legal = items.enum.map(String);
    return `must be a list with at least one of ${listed(legal, 'or')}.${hintFor(value, legal)}`;
  }
  const known = formatOf(isOfItem && typeof value === 'string' ? items : node);
  const said = node.errorMessage ?? known?.message;
  if (said !== undefined) {
    return said.replace('{value}', () => abridged(String(value), LONGEST_VALUE));
  }
  if (node.enum !== undefined) {
    const legal = node.enum.map(String);
    return `must be ${listed(legal, 'or')}.${hintFor(value, legal)}`;
  }
  if (types.includes('array')) return 'must be a list of strings.';
  if (types.includes('integer')) return `must be a whole number from ${minimum} to ${maximum}.`;
  if (types.includes('number')) return `must be a number from ${minimum} to ${maximum}.`;
  if (types.includes('boolean')) return 'must be true or false.';
  return NO_MAP;
}

function hintFor(value: unknown, legal: readonly string[]): string {
  return typeof value === 'string' ? didYouMean(value, legal) : '';
}
