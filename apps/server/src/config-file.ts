import { type Issue, messageOf } from '@svc/core';
import { didYouMean, isTooLarge, meantName, readYaml } from '@svc/trigger-schema';
import { type Document, isMap, isNode, isScalar, type YAMLMap } from 'yaml';
import { SETTING_TABLE } from './setting-table.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A setting in the file with its position. */
export interface FileValue extends Place {
  readonly value: unknown;
  /** The position of a part of the value, as deep as it exists. */
  readonly within: (path: string) => Place | undefined;
}

/** The content of `svc.config.yaml`, by setting. */
type ConfigFile =
  | {
      ok: true;
      values: ReadonlyMap<string, FileValue>;
      /** Dangerous unknown settings, and values that cannot be read. */
      issues: Issue[];
      warnings: Issue[];
    }
  | { ok: false; issues: Issue[] };

/** Parses `svc.config.yaml`. Unknown keys are warnings, except where ignoring them would be dangerous. */
export function parseConfigFile(text: string): ConfigFile {
  if (isTooLarge(text)) {
    return { ok: false, issues: [{ path: '', message: 'must be at most 1 MiB.' }] };
  }
  const read = readYaml(text);
  if (!read.ok) return { ok: false, issues: [...read.issues] };
  const { document, position: place } = read.value;
  const values = new Map<string, FileValue>();
  const warnings: Issue[] = [];
  const issues: Issue[] = [];
  if (document === null || document.contents === null)
    return { ok: true, values, issues, warnings };
  if (!isMap(document.contents)) {
    const message = 'must be a map of settings.';
    return { ok: false, issues: [{ path: '', message, ...place(0) }] };
  }
  walk(document.contents, '', (key, node, offset) => {
    const known = SETTING_TABLE.some((row) => row.key === key);
    const group = SETTING_TABLE.some((row) => row.key.startsWith(`${key}.`));
    if (known) {
      const plain = toPlain(node, document);
      const within = (path: string): Place | undefined => {
        const found = offsetOf(node, path);
        return found === null ? undefined : place(found);
      };
      if (plain.ok) values.set(key, { value: plain.value, within, ...place(offset) });
      else
        issues.push({ path: key, message: `cannot be read: ${plain.problem}`, ...place(offset) });
    } else if (group && isEmpty(node)) {
      setToNull(values, key, { ...place(offset), within: () => undefined });
    } else if (group && isMap(node)) return true;
    else if (group) issues.push({ path: key, message: noMap(key), ...place(offset) });
    else {
      const found = { path: key, message: strangeKey(key), ...place(offset) };
      (mustNotBeIgnored(key) ? issues : warnings).push(found);
    }
    return false;
  });
  return { ok: true, values, issues, warnings };
}

// null for a group means null for each member that allows it.
function setToNull(
  values: Map<string, FileValue>,
  group: string,
  at: Omit<FileValue, 'value'>,
): void {
  for (const { key, takesNull } of SETTING_TABLE) {
    if (takesNull && key.startsWith(`${group}.`)) values.set(key, { value: null, ...at });
  }
}

const strangeKey = (key: string): string =>
  key.startsWith('server.tls.') ? NOT_OF_TLS : unknownSetting(key);

// Ignoring a setting that restricts access would be dangerous, and so would ignoring one that names the database or the
// shared projects folder, because all triggers of that folder would fire again. This includes misspelt groups and
// misplaced TLS settings.
const mustNotBeIgnored = (key: string): boolean =>
  isGuarded(key) || isGuarded(meantName(key, NAMES) ?? '') || OF_TLS.test(key);

const isGuarded = (key: string): boolean =>
  GUARDED.some((group) => key === group || key.startsWith(`${group}.`));

const GUARDED = ['server.tls', 'auth', 'database', 'projects'];
const OF_TLS = /(^|\.)(tls|certFile|keyFile)$/;

const KEYS = SETTING_TABLE.map((row) => row.key);
const NAMES = [...new Set(KEYS.flatMap((key) => [key, ...groupsOf(key)]))];

function groupsOf(key: string): string[] {
  const parts = key.split('.').slice(0, -1);
  return parts.map((_, n) => parts.slice(0, n + 1).join('.'));
}

// Usually a misspelt name, or the wrong position.
function unknownSetting(key: string): string {
  const last = `.${key.split('.').at(-1)}`;
  const meant = didYouMean(key, NAMES);
  const elsewhere = NAMES.find((known) => `.${known}`.endsWith(last));
  const hint = meant === '' && elsewhere !== undefined ? ` Did you mean ${elsewhere}?` : meant;
  return `is not a known setting.${hint}`;
}
function noMap(key: string): string {
  if (key.endsWith('.apiKey')) return 'must be { ref: env:NAME }: a key must not be in the file.';
  return INSTEAD_OF_TEXT[key] ?? 'must be a map of settings.';
}
// The most likely meaning of a plain text at this position.
const INSTEAD_OF_TEXT: Readonly<Record<string, string>> = {
  database: 'must be { url: "postgres://USER:PASSWORD@HOST:5432/NAME" }.',
  projects: 'must be { dir: FOLDER }.',
};
// The user wants TLS, so the key must not be ignored.
const NOT_OF_TLS = 'is not a known setting. server.tls takes certFile and keyFile.';

function walk(
  map: YAMLMap,
  prefix: string,
  visit: (key: string, node: unknown, offset: number) => boolean,
): void {
  for (const { key, value } of map.items) {
    const name = `${prefix}${isScalar(key) ? String(key.value) : String(key)}`;
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    if (visit(name, value, offset) && isMap(value)) walk(value, `${name}.`, visit);
  }
}

// The position of the key, or of its deepest existing parent.
function offsetOf(node: unknown, path: string): number | null {
  const pair = isMap(node)
    ? node.items.find(({ key }) => isScalar(key) && isWithin(path, String(key.value)))
    : undefined;
  if (pair === undefined || !isScalar(pair.key)) return null;
  const deeper = offsetOf(pair.value, path.slice(String(pair.key.value).length + 1));
  return deeper ?? pair.key.range?.[0] ?? null;
}

function isWithin(path: string, key: string): boolean {
  return path === key || path.startsWith(`${key}.`);
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

type Plain = { ok: true; value: unknown } | { ok: false; problem: string };

// Converted through the document, so that aliases resolve; too many aliases throw.
function toPlain(node: unknown, document: Document): Plain {
  try {
    return { ok: true, value: isNode(node) ? node.toJS(document) : node };
  } catch (error) {
    return { ok: false, problem: messageOf(error) };
  }
}
