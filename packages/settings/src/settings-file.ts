import { counted, type Issue } from '@svc/core';
import {
  isTooLarge,
  locateInRoot,
  type MapTree,
  meantName,
  readYaml,
  type Tree,
} from '@svc/trigger-schema';
import { MOST_FAULTS, NO_MAP, unknownKey } from './check-values.ts';
import { memberOf, ROOT, type SchemaNode, SETTING_TABLE, typesOf } from './setting-table.ts';

type Path = readonly string[];
/** Finds the position of a field, or of the innermost map that would contain it. */
type Locate = (path: Path) => Pick<Issue, 'line' | 'column'>;

/** The content of `svc.config.yaml`. */
type SettingsText =
  | {
      readonly ok: true;
      /** The values of settings by key. */
      readonly values: ReadonlyMap<string, unknown>;
      readonly locate: Locate;
      /** Groups that are no maps, and unknown keys that must not be ignored. */
      readonly issues: readonly Issue[];
      /** The groups that are no maps. */
      readonly failed: readonly string[];
      readonly warnings: readonly Issue[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses `svc.config.yaml`. Unknown keys are warnings, except where ignoring them would be dangerous. */
export function readSettingsText(text: string): SettingsText {
  if (isTooLarge(text)) {
    return { ok: false, issues: [{ path: '', message: 'must be at most 1 MiB.' }] };
  }
  // A secret that is not in quotes can be read as a key, a tag or an alias.
  const read = readYaml(text, { repeatsText: false });
  if (!read.ok) return read;
  const { tree, position } = read.value;
  const find = locateInRoot(read.value);
  const locate: Locate = (path) => ({ ...find(path, 'key') });
  if (tree !== null && tree.kind !== 'map') {
    return { ok: false, issues: [{ path: '', message: NO_MAP, ...position(0) }] };
  }
  const values = new Map<string, unknown>();
  const issues: Issue[] = [];
  const failed: string[] = [];
  const warnings: Issue[] = [];
  const unknown: (readonly [group: Path, name: string])[] = [];
  const visit = ({ fields }: MapTree, group: SchemaNode, path: Path): void => {
    for (const [name, { tree: field }] of fields) {
      const at = [...path, name];
      const schema = memberOf(group, name);
      if (schema === undefined) unknown.push([path, name]);
      else if ('default' in schema) values.set(at.join('.'), field.value);
      else visitGroup(field, schema, at);
    }
  };
  const visitGroup = (tree: Tree, schema: SchemaNode, path: Path): void => {
    const key = path.join('.');
    if (tree.kind === 'map') visit(tree, schema, path);
    // null for a group means null for each setting that allows it.
    else if (tree.value === null) for (const one of nullableBelow(key)) values.set(one, null);
    else {
      failed.push(key);
      issues.push({ path: key, message: schema.errorMessage ?? NO_MAP, ...locate(path) });
    }
  };
  if (tree !== null) visit(tree, ROOT, []);
  for (const [group, name] of unknown.slice(0, MOST_FAULTS)) {
    const at = [...group, name];
    const list = mustNotBeIgnored(at.join('.')) ? issues : warnings;
    list.push({ ...ofUnknown(group, name), ...locate(at) });
  }
  if (unknown.length > MOST_FAULTS) {
    // Some of them may be keys that must not be ignored.
    const more = counted(unknown.length - MOST_FAULTS, 'more key');
    issues.push({ path: '', message: `has ${more} not known as settings. Remove them.` });
  }
  return { ok: true, values, locate, issues, failed, warnings };
}

function nullableBelow(group: string): string[] {
  const members = SETTING_TABLE.filter(({ key }) => key.startsWith(`${group}.`));
  return members.filter(({ schema }) => typesOf(schema).includes('null')).map(({ key }) => key);
}

const KEYS = SETTING_TABLE.map(({ key }) => key);
const GROUPS = SETTING_TABLE.flatMap(({ path }) =>
  path.map((_, n) => path.slice(0, n + 1).join('.')),
);
const FIELDS = SETTING_TABLE.flatMap(({ key, schema }) =>
  Object.keys(schema.properties ?? {}).map((name) => `${key}.${name}`),
);
const NAMES = [...new Set([...GROUPS, ...FIELDS])];
const GUARDED = NAMES.filter((name) => !KEYS.includes(name) && groupAt(name)['x-guarded'] === true);

function groupAt(name: string): SchemaNode {
  return name.split('.').reduce<SchemaNode>((group, part) => group.properties?.[part] ?? {}, ROOT);
}

// Ignoring a setting that restricts access would be dangerous, and so would ignoring one that names the database or the
// shared projects folder, because all triggers of that folder would fire again. This includes misspelt groups and
// misplaced TLS settings.
function mustNotBeIgnored(key: string): boolean {
  return isGuarded(key) || isGuarded(meantName(key, NAMES) ?? '') || OF_TLS.test(key);
}

function isGuarded(key: string): boolean {
  return GUARDED.some((group) => isWithin(key, group));
}

/** Whether a key is another one or below it. */
export function isWithin(key: string, other: string): boolean {
  return key === other || key.startsWith(`${other}.`);
}

const OF_TLS = /(^|\.)(tls|certFile|keyFile)$/;

function ofUnknown(path: Path, name: string): Pick<Issue, 'path' | 'message'> {
  const group = path.join('.');
  const key = [...path, name].join('.');
  // Usually a misspelt name, or the wrong position.
  const elsewhere = NAMES.find((known) => `.${known}`.endsWith(`.${name}`));
  const meant = meantName(key, NAMES) ?? elsewhere ?? null;
  if (name.includes('.') && meant !== null) {
    const message = `has a key with dots. Write ${meant} as a nested map: ${nested(meant)}.`;
    return { path: group, message };
  }
  // The user wants TLS, so the key must not be ignored.
  const hint = group === 'server.tls' ? ' server.tls takes certFile and keyFile.' : '';
  const { message, isHidden } = unknownKey(path, name, meant, hint);
  return { path: isHidden ? group : key, message };
}

function nested(key: string): string {
  return key.split('.').reduceRight((inner, name) => {
    return `${name}: ${inner === '…' ? inner : `{ ${inner} }`}`;
  }, '…');
}
