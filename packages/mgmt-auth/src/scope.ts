import { type Checked, type Issue, isRecord } from '@svc/core';

/** What a client may do and where. Lists hold names, `*`, or prefixes with a trailing `*`. */
export interface Scope {
  /** Projects that the client may access; empty: none. Default: `["*"]`. */
  readonly projects: readonly string[];
  /** Operations that the client may call; empty: none. Default: `["list_*", "read_chat"]`. */
  readonly allow: readonly string[];
  /** Denied operations, regardless of `allow`. Default: none. */
  readonly deny: readonly string[];
  /** Denied projects, regardless of `projects`. Default: none. */
  readonly denyProjects: readonly string[];
  /**
   * How many levels of child turns the turns of this client may start, 0 or more; null: the default of the instance
   * or project.
   */
  readonly maxSpawnDepth: number | null;
}

/** A scope, or its errors. */
export type ScopeResult = Checked<Scope>;

const LIST_DEFAULTS = {
  projects: ['*'],
  allow: ['list_*', 'read_chat'],
  deny: [],
  denyProjects: [],
} as const;

const KEYS: ReadonlySet<string> = new Set([...Object.keys(LIST_DEFAULTS), 'maxSpawnDepth']);

/** Parses a scope and fills in its defaults; undefined is the default scope, which reads in all projects. */
export function scopeOf(raw: unknown): ScopeResult {
  if (raw === undefined) return scopeOf({});
  if (!isRecord(raw)) return { ok: false, issues: [issue('scope', 'must be an object')] };
  const issues = unknownKeys('scope', Object.keys(raw), KEYS);
  const list = (key: keyof typeof LIST_DEFAULTS): readonly string[] => {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (value === undefined) return LIST_DEFAULTS[key];
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
    issues.push(issue(`scope.${key}`, 'must be a list of strings'));
    return [];
  };
  const value = {
    projects: list('projects'),
    allow: list('allow'),
    deny: list('deny'),
    denyProjects: list('denyProjects'),
    maxSpawnDepth: depthOf(raw['maxSpawnDepth'], issues),
  };
  return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
}

/** Errors for unknown keys of a group. They repeat only keys that resemble a known one: others may be secrets without a colon. */
export function unknownKeys(
  group: string,
  keys: readonly string[],
  known: ReadonlySet<string>,
): Issue[] {
  const others = keys.filter((key) => !known.has(key));
  const resembles = (key: string): boolean =>
    [...known].some((name) => isNear(key.toLowerCase(), name.toLowerCase()));
  const near = others.filter(resembles);
  const isHidden = near.length < others.length;
  const names = `known keys: ${[...known].join(', ')}`;
  return [
    ...near.map((key) => issue(`${group}.${key}`, `is not a known key; ${names}`)),
    ...(isHidden ? [issue(group, `has a key that is not known; ${names}`)] : []),
  ];
}

/** True if the words differ by one wrong, missing or extra letter, or two swapped ones. */
export function isNear(word: string, wanted: string): boolean {
  if (Math.abs(word.length - wanted.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === wanted[start]) start += 1;
  const rest = word.slice(start);
  const other = wanted.slice(start);
  const swapped = rest.slice(0, 2) === [...other.slice(0, 2)].reverse().join('');
  return (
    rest.slice(1) === other.slice(1) ||
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    (swapped && rest.slice(2) === other.slice(2))
  );
}

function depthOf(raw: unknown, issues: Issue[]): number | null {
  if (raw === undefined) return null;
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) return raw;
  issues.push(issue('scope.maxSpawnDepth', 'must be a whole number, 0 or more'));
  return null;
}

function issue(path: string, message: string): Issue {
  return { path, message };
}
