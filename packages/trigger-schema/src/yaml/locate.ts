import type { Locate, Part, Path } from '../report.ts';
import type { YamlFile } from './file.ts';
import type { Field, Tree } from './tree.ts';

/**
 * Finds the position of a path below a field of the file: the value if it is written, else its key; for a missing
 * path, the key of the innermost existing map.
 */
export function locateBelow(file: YamlFile, start: Field): Locate {
  return (path, part) => file.position(offsetOf(start, path, part));
}

/** Like `locateBelow`, from the root of the file. */
export function locateInRoot(file: YamlFile): Locate {
  return (path, part) => {
    if (file.tree === null) return null;
    const root: Field = { tree: file.tree, keyOffset: file.tree.offset, pair: null, alias: false };
    return file.position(offsetOf(root, path, part));
  };
}

function offsetOf(start: Field, path: Path, part: Part): number {
  let keyOffset = start.keyOffset;
  let tree: Tree = start.tree;
  for (const segment of path) {
    const next = step(tree, segment);
    if (next === null) return keyOffset;
    keyOffset = next.keyOffset;
    tree = next.tree;
  }
  return part === 'value' && isWritten(tree) ? tree.offset : keyOffset;
}

function step(tree: Tree, segment: string | number): { keyOffset: number; tree: Tree } | null {
  if (tree.kind === 'map') return tree.fields.get(String(segment)) ?? null;
  if (tree.kind !== 'list' || typeof segment !== 'number') return null;
  const item = tree.items[segment];
  return item === undefined ? null : { keyOffset: item.offset, tree: item };
}

function isWritten(tree: Tree): boolean {
  const range = tree.node?.range;
  return range != null && range[1] > range[0];
}
