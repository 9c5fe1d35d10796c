import type { Field, Tree } from './yaml/tree.ts';

// A trigger of 200 tools has many fewer parts, and so have 2,000 ordinary ones together.
const MOST_PARTS = 5000;
const MOST_PARTS_OF_ALL = 100_000;

/**
 * Entries as written. Undefined for an entry with far more parts than any valid one, and for all after too many
 * parts in total.
 */
export function writtenOf(triggers: ReadonlyMap<string, Field>): Map<string, unknown> {
  const written = new Map<string, unknown>();
  let left = MOST_PARTS_OF_ALL;
  for (const [name, { tree }] of triggers) {
    const parts = countParts(tree, Math.min(left, MOST_PARTS) + 1);
    const fits = parts <= Math.min(left, MOST_PARTS);
    written.set(name, fits ? tree.value : undefined);
    if (fits) left -= parts;
  }
  return written;
}

/** How many values a tree holds, counted up to `most`. */
function countParts(tree: Tree, most: number): number {
  if (tree.kind === 'leaf') return 1;
  const inner =
    tree.kind === 'list' ? tree.items : [...tree.fields.values()].map((field) => field.tree);
  let count = 1;
  for (const part of inner) {
    if (count >= most) break;
    count += countParts(part, most - count);
  }
  return count;
}
