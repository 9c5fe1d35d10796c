import type { CST, Node, Pair } from 'yaml';
import type { Base } from '../base.ts';
import type { Field, MapTree } from '../yaml/tree.ts';
import { itemEnd, itemStart } from './span.ts';
import { lineBreak, lineStart, type Splice } from './splice.ts';
import { type MapPlace, placeOfTree, spanOf } from './splice-editor.ts';

/** A field of a map and its desired value. */
export interface ScalarChange {
  readonly tree: MapTree;
  readonly key: string;
  /** Its new value, as YAML on one line. */
  readonly written: string;
}

/**
 * The splices that write values into maps, each where the map is written. If several changes affect one place, only
 * the last is returned: read the text again and repeat.
 */
export function scalarSplices(
  { file: { text } }: Base,
  changes: readonly ScalarChange[],
): Splice[] {
  const places = new Map<number, Splice>();
  for (const change of changes) {
    const place = placeOfTree(change.tree);
    const splice = place === null ? null : spliceFor(text, place, change);
    if (splice !== null) places.set(splice.start, splice);
  }
  return [...places.values()];
}

function spliceFor(text: string, place: MapPlace, { key, written }: ScalarChange): Splice | null {
  const field = place.tree.fields.get(key);
  return field?.pair
    ? replacement(text, field, field.pair, written)
    : insertion(text, place.token, `${key}: ${written}`);
}

function replacement(
  text: string,
  field: Field,
  pair: Pair<Node, Node | null>,
  written: string,
): Splice | null {
  const [start = 0, end = 0] = pair.value?.range ?? [];
  if (end > start) {
    const eol = text[end - 1] === '\n' ? lineBreak(text) : '';
    return { start, end, text: `${written}${eol}` };
  }
  const span = spanOf(text, field);
  if (span === null) return null;
  const { colonEnd, keyEnd } = span;
  return colonEnd === null
    ? { start: keyEnd, end: keyEnd, text: `: ${written}` }
    : { start: colonEnd, end: colonEnd, text: ` ${written}` };
}

// As the first field, because after the last one comments and line breaks can take any form.
function insertion(text: string, token: MapPlace['token'], pair: string): Splice | null {
  const items: readonly CST.CollectionItem[] = token.items;
  const first = items.find((item) => itemEnd(item) !== null);
  if (token.type === 'flow-collection') {
    const start = token.offset + 1;
    return { start, end: start, text: ` ${pair}${first === undefined ? ' ' : ','}` };
  }
  if (first === undefined) return null;
  const start = itemStart(first);
  const indent = ' '.repeat(start - lineStart(text, start));
  return { start, end: start, text: `${pair}${lineBreak(text)}${indent}` };
}
