import { type Checked, invalid, success } from '@svc/core';
import { shown } from './plain.ts';

// Blanks and doubles among them do not count in the end, so this is far more than a list may hold.
const MOST = 1000;

/**
 * Reads a list of tools given as a list, a JSON array in a text, or a text with commas or line breaks; names are
 * trimmed, blanks and doubles dropped. Entries that are no text stay for the validation to name.
 */
export function readToolList(value: unknown): Checked<unknown[]> {
  const items = itemsOf(value);
  if (items === null) {
    return invalid({
      path: 'tools',
      message: `must be a list of tool names, or text such as "Read, Grep", not ${shown(value)}.`,
    });
  }
  if (items.length > MOST) {
    return invalid({ path: 'tools', message: `must have at most ${MOST} entries.` });
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
    // Text that begins like a JSON array and is none is a slip: the caller reports it.
    return null;
  }
}
