import type { MapTree } from '../yaml/tree.ts';
import { itemEnd, itemStart, pairLines, tokenEnd } from './span.ts';
import { lineEnd } from './splice.ts';
import { type MapPlace, mapPlace, spanOf } from './splice-editor.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether an edit of one entry left every byte outside it unchanged; a new entry may only be added to the others. */
export function keepsOutside(
  text: string,
  root: MapTree | null,
  name: string,
  edited: string,
): boolean {
  const triggers = root?.fields.get('triggers');
  const place = mapPlace(triggers);
  const range = place === null ? null : rangeOf(text, place, name);
  if (range !== null) return keeps(text, range, edited);
  if (place !== null && place.tree.fields.size > 0) return onlyAdds(text, edited);
  const span = triggers === undefined ? null : spanOf(text, triggers);
  if (span !== null)
    return keeps(text, { start: span.keyEnd, end: lineEnd(text, span.end) }, edited);
  // A file that contains only comments, or a single null that is replaced.
  return root === null || onlyAdds(text, edited);
}

function keeps(text: string, range: Range, edited: string): boolean {
  return edited.startsWith(text.slice(0, range.start)) && edited.endsWith(text.slice(range.end));
}

/** Whether the edited text is the first one with one piece inserted. */
function onlyAdds(text: string, edited: string): boolean {
  let head = 0;
  while (head < text.length && text[head] === edited[head]) head += 1;
  return edited.length >= text.length && edited.endsWith(text.slice(head));
}

/** The range in which an entry may be changed: its lines, or in a flow map everything between its neighbors. */
function rangeOf(text: string, place: MapPlace, name: string): Range | null {
  const { token, tree } = place;
  const field = tree.fields.get(name);
  const span = field === undefined ? null : spanOf(text, field);
  if (span === null) return null;
  if (token.type === 'block-map') return pairLines(text, span);
  const items = token.items.filter((item) => itemEnd(item) !== null);
  const index = items.findIndex((item) => itemStart(item) === span.start);
  const before = items[index - 1];
  const after = items[index + 1];
  return {
    start: (before === undefined ? null : itemEnd(before)) ?? token.offset + 1,
    end: after === undefined ? tokenEnd(token) - 1 : itemStart(after),
  };
}
