import type { MapTree, Tree } from '../yaml/tree.ts';
import { blockIndent, placeOfTree } from './splice-editor.ts';

const DEFAULT_STEP = '  ';

/** The indentation per level of a file: that of its triggers, else of any map, else two spaces. */
export function detectStep(text: string, root: MapTree | null): string {
  if (root === null) return DEFAULT_STEP;
  const triggers = root.fields.get('triggers')?.tree;
  const levels: [MapTree, MapTree][] = [];
  const add = (outer: MapTree, inner: Tree | undefined): void => {
    if (inner?.kind === 'map') levels.push([outer, inner]);
  };
  if (triggers?.kind === 'map') {
    for (const entry of triggers.fields.values()) add(triggers, entry.tree);
  }
  add(root, triggers);
  for (const field of root.fields.values()) add(root, field.tree);
  for (const [outer, inner] of levels) {
    const step = between(text, outer, inner);
    if (step !== null) return step;
  }
  return DEFAULT_STEP;
}

function between(text: string, outer: MapTree, inner: MapTree): string | null {
  const from = indentOf(text, outer);
  const to = indentOf(text, inner);
  return from === null || to === null || to.length <= from.length ? null : to.slice(from.length);
}

function indentOf(text: string, tree: MapTree): string | null {
  const place = placeOfTree(tree);
  return place === null ? null : blockIndent(text, place.token);
}
