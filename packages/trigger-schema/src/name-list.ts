import { type Checked, invalid, success } from '@svc/core';
import { shown } from './plain.ts';

// Blank and duplicate entries are removed later, so this is far more than a list may have.
const MOST = 1000;
const FORM = {
  tools: 'a list of tool names, or text such as "Read, Grep"',
  network: 'a list of hosts, or text such as "api.github.com, *.example.org:443"',
} as const;

/**
 * Reads a list of names, of tools or hosts: a list, a JSON array in a text, or a text with commas or line breaks. Names
 * are trimmed; blank and duplicate names are dropped. Entries that are not text are left to the validation.
 *
 * @param path of its field, for issues
 */
export function readNameList(value: unknown, path: 'tools' | 'network'): Checked<unknown[]> {
  const items = itemsOf(value);
  if (items === null) {
    return invalid({ path, message: `must be ${FORM[path]}, not ${shown(value)}.` });
  }
  if (items.length > MOST) {
    return invalid({ path, message: `must have at most ${MOST} entries.` });
  }
  const trimmed = items.map((item) => (typeof item === 'string' ? item.trim() : item));
  return success([...new Set(trimmed.filter((item) => item !== ''))]);
}

function itemsOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return null;
  if (!value.trim().startsWith('[')) return value.split(/[,\n]/);
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    // A text that begins like a JSON array but is invalid is a mistake, which the caller reports.
    return null;
  }
}
