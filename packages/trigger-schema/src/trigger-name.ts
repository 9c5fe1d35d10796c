import { type Checked, invalid, success } from '@svc/core';
import { SLUG_PATTERN } from '@svc/records';
import { hasHalfCharacter, shown } from './plain.ts';

const LONGEST_NAME = 128;
const FORBIDDEN: ReadonlySet<string> = new Set(['.', '..', '__proto__']);
const SLUG = new RegExp(SLUG_PATTERN);

/**
 * Checks the name of a trigger or legacy schedule: 1 to 128 characters, no control character, no `/` or `\`, no
 * space at either end, and none of `.`, `..` and `__proto__`. The issue has the path `name`.
 */
export function validateTriggerName(name: unknown): Checked<string> {
  const fault = nameFault(name);
  return fault === null ? success(name as string) : invalid({ path: 'name', message: fault });
}

function nameFault(name: unknown): string | null {
  if (typeof name !== 'string') return `must be text, not ${shown(name)}.`;
  if (name === '') return 'must not be empty; use 1 to 128 characters.';
  if (Array.from(name.slice(0, 2 * LONGEST_NAME + 1)).length > LONGEST_NAME) {
    return 'must have at most 128 characters.';
  }
  if (FORBIDDEN.has(name)) return `cannot be ${shown(name)}; choose another name.`;
  if (/[/\\]/.test(name)) return 'must not contain / or \\; use - instead.';
  if (/\p{Cc}/u.test(name))
    return 'must not contain line breaks, tabs or other control characters.';
  if (hasHalfCharacter(name)) return 'must be valid Unicode: it contains a lone surrogate.';
  if (name.trim() !== name) return 'must not begin or end with a space.';
  return null;
}

/** Whether a fixed route uses a name, so that no new trigger may have it: `runtime`. */
export function isReservedTriggerName(name: string): boolean {
  return name === 'runtime';
}

/** Whether a text has the form of a project slug. */
export function isSlug(text: unknown): text is string {
  return typeof text === 'string' && SLUG.test(text);
}
