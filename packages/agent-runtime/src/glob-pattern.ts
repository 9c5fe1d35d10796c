import { failure, messageOf, type Result, success } from '@svc/core';
import { RE2JS } from 're2js';

/** Whether a path with `/` matches. */
export type PathTest = (path: string) => boolean;

/**
 * Compiles a file name pattern: `*` and `?` within a name, `**` for any folders, `[a-z]`, `[!a-z]`, `{a,b}`, `\` before
 * a literal character. Names that start with a dot match like other names. Matching takes time proportional to the path
 * for every pattern, unlike a translation to a backtracking expression.
 *
 * @returns the test, or one sentence on why the pattern is invalid
 */
export function compileGlob(pattern: string): Result<PathTest, string> {
  try {
    const expression = RE2JS.compile(translated(pattern.replace(/^(?:\.\/)+/, '')), RE2JS.DOTALL);
    return success((path) => expression.testExact(path));
  } catch (error) {
    return failure(`${pattern} is not a valid file name pattern: ${messageOf(error)}.`);
  }
}

interface Piece {
  readonly source: string;
  /** Index after it. */
  readonly end: number;
}

function translated(pattern: string): string {
  const braces = isBalanced(pattern);
  let depth = 0;
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    const piece = pieceAt(pattern, at) ?? (braces ? braceAt(pattern, at, depth) : null);
    if (pattern[at] === '{' && braces) depth += 1;
    if (pattern[at] === '}' && braces) depth -= 1;
    source += piece?.source ?? RE2JS.quote(pattern.charAt(at));
    at = piece?.end ?? at + 1;
  }
  return source;
}

function pieceAt(pattern: string, at: number): Piece | null {
  switch (pattern[at]) {
    case '*':
      return starsAt(pattern, at);
    case '?':
      return { source: '[^/]', end: at + 1 };
    case '[':
      return classAt(pattern, at);
    case '\\':
      return at + 1 < pattern.length
        ? { source: RE2JS.quote(pattern.charAt(at + 1)), end: at + 2 }
        : null;
    default:
      return null;
  }
}

function starsAt(pattern: string, at: number): Piece {
  let end = at;
  while (pattern[end] === '*') end += 1;
  const whole =
    end - at === 2 &&
    ['/', '{', ',', undefined].includes(pattern[at - 1]) &&
    ['/', '}', ',', undefined].includes(pattern[end]);
  if (!whole) return { source: '[^/]*', end };
  return pattern[end] === '/' ? { source: '(?:[^/]+/)*', end: end + 1 } : { source: '.*', end };
}

function classAt(pattern: string, at: number): Piece | null {
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const from = negated ? at + 2 : at + 1;
  const end = pattern.indexOf(']', from + 1);
  if (end === -1) return null;
  const members = pattern.slice(from, end).replace(/[\\[\]^&~]/g, '\\$&');
  return { source: negated ? `[^/${members}]` : `[${members}]`, end: end + 1 };
}

function braceAt(pattern: string, at: number, depth: number): Piece | null {
  const source = { '{': '(?:', '}': ')', ',': depth > 0 ? '|' : ',' }[pattern.charAt(at)];
  return source === undefined ? null : { source, end: at + 1 };
}

function isBalanced(pattern: string): boolean {
  let depth = 0;
  for (let at = 0; at < pattern.length && depth >= 0; ) {
    const piece = pieceAt(pattern, at);
    if (piece === null && pattern[at] === '{') depth += 1;
    if (piece === null && pattern[at] === '}') depth -= 1;
    at = piece?.end ?? at + 1;
  }
  return depth === 0;
}
