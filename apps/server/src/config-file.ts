import { type Issue, messageOf } from '@svc/core';
import { isTooLarge, meantName, readYaml } from '@svc/trigger-schema';
import { type Document, isMap, isNode, isScalar, type YAMLMap } from 'yaml';
import { didYouMean } from './did-you-mean.ts';
import { SETTING_TABLE } from './setting-table.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A setting as the file has it, and where it stands. */
export interface FileValue extends Place {
  readonly value: unknown;
  /** Where a part of the value stands, as deep as it is there. */
  readonly within: (path: string) => Place | undefined;
}

/** What `svc.config.yaml` says, by the keys of settings. */
type ConfigFile =
  | {
      ok: true;
      values: ReadonlyMap<string, FileValue>;
      /** Unknown settings, and values that no setting can be read from. */
      issues: Issue[];
      warnings: Issue[];
    }
  | { ok: false; issues: Issue[] };

/** Reads the text of `svc.config.yaml`; what would be dangerous to pass over is an issue, any other unknown key a warning. */
export function parseConfigFile(text: string): ConfigFile {
  if (isTooLarge(text)) {
    return { ok: false, issues: [{ path: '', message: 'must have at most 1 MiB.' }] };
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
      (mattersMuch(key) ? issues : warnings).push(found);
    }
    return false;
  });
  return { ok: true, values, issues, warnings };
}

// Nothing for all of it is nothing for each that may be nothing.
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

// A setting that keeps callers out must not be ignored, nor one that names the database or the folder that servers share: all
// triggers of that folder would fire again. That holds for a misspelt group and for a setting of TLS in the wrong place, too.
const mattersMuch = (key: string): boolean =>
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

// Most often it is misspelt, or stands in the wrong place.
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
// Whoever writes a text there has but one thing to say.
const INSTEAD_OF_TEXT: Readonly<Record<string, string>> = {
  database: 'must be { url: "postgres://USER:PASSWORD@HOST:5432/NAME" }.',
  projects: 'must be { dir: FOLDER }.',
};
// Whoever writes this wants TLS, so it is more than a word to be passed over.
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

// Of the key, or of the deepest one on the way to it.
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

// With the document, so that an alias gives what its anchor holds; too many of them throw.
function toPlain(node: unknown, document: Document): Plain {
  try {
    return { ok: true, value: isNode(node) ? node.toJS(document) : node };
  } catch (error) {
    return { ok: false, problem: messageOf(error) };
  }
}
