import { type Checked, invalid, success } from '@svc/core';
import type { CST, Node, Pair } from 'yaml';
import type { Base } from '../base.ts';
import { isTooLarge } from '../yaml/file.ts';
import type { Field, MapTree } from '../yaml/tree.ts';
import { type MapPlace, placeOfTree, spanOf } from './editor.ts';
import { itemEnd, itemStart } from './span.ts';
import { applySplices, lineBreak, lineStart, type Splice } from './splice.ts';

const MAPS = ['triggers', 'schedules'] as const;

/**
 * Writes `enabled: false` into every entry of `triggers` and `schedules` of a `project.yaml`, sound or not. An entry that
 * an alias or a merge key brings in is changed where it is written; every other byte stays.
 *
 * Refused with an issue: a file in which that leaves an entry enabled.
 */
export function disableAll(base: Base): Checked<Base> {
  const enabled = enabledEntries(base.root);
  if (enabled.length === 0) return success(base);
  const text = applySplices(base.file.text, splicesFor(base, enabled));
  const after = isTooLarge(text) ? null : base.read(text);
  if (after?.ok === true && enabledEntries(after.value.root).length === 0) return after;
  const path = enabled[0]?.path ?? '';
  return invalid({ path, message: 'cannot be disabled in place; write enabled: false there.' });
}

interface Entry {
  readonly path: string;
  readonly tree: MapTree;
}

/** The entries that do not say `enabled: false`; what is no map can never be armed. */
function enabledEntries(root: MapTree | null): Entry[] {
  return MAPS.flatMap((key) => {
    const tree = root?.fields.get(key)?.tree;
    if (tree?.kind !== 'map') return [];
    return [...tree.fields].flatMap(([name, field]) => {
      const entry = field.tree;
      if (entry.kind !== 'map') return [];
      const isDisabled = entry.fields.get('enabled')?.tree.value === false;
      return isDisabled ? [] : [{ path: `${key}.${name}`, tree: entry }];
    });
  });
}

function splicesFor({ file: { text } }: Base, entries: readonly Entry[]): Splice[] {
  // Entries that share a map are disabled by one change.
  const places = new Map<number, Splice>();
  for (const { tree } of entries) {
    const place = placeOfTree(tree);
    const splice = place === null ? null : disabling(text, place);
    if (splice !== null) places.set(splice.start, splice);
  }
  return [...places.values()];
}

function disabling(text: string, place: MapPlace): Splice | null {
  const field = place.tree.fields.get('enabled');
  return field?.pair ? replacement(text, field, field.pair) : insertion(text, place.token);
}

function replacement(text: string, field: Field, pair: Pair<Node, Node | null>): Splice | null {
  const [start = 0, end = 0] = pair.value?.range ?? [];
  if (end > start) {
    const eol = text[end - 1] === '\n' ? lineBreak(text) : '';
    return { start, end, text: `false${eol}` };
  }
  const span = spanOf(text, field);
  if (span === null) return null;
  const { colonEnd, keyEnd } = span;
  return colonEnd === null
    ? { start: keyEnd, end: keyEnd, text: ': false' }
    : { start: colonEnd, end: colonEnd, text: ' false' };
}

// As the first field: what follows the last one, comments and line breaks, can take any form.
function insertion(text: string, token: MapPlace['token']): Splice | null {
  const items: readonly CST.CollectionItem[] = token.items;
  const first = items.find((item) => itemEnd(item) !== null);
  if (token.type === 'flow-collection') {
    const start = token.offset + 1;
    return { start, end: start, text: ` enabled: false${first === undefined ? ' ' : ','}` };
  }
  if (first === undefined) return null;
  const start = itemStart(first);
  const indent = ' '.repeat(start - lineStart(text, start));
  return { start, end: start, text: `enabled: false${lineBreak(text)}${indent}` };
}
