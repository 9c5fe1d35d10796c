import { type CST, isSeq, type YAMLSeq } from 'yaml';
import type { Field } from '../yaml/tree.ts';
import { renderItem } from './render.ts';
import { itemEnd, itemStart } from './span.ts';
import { lineEnd, lineStart, type Splice } from './splice.ts';
import type { Editor } from './splice-editor.ts';

interface ItemLines {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly indent: string;
}

/**
 * Changes the entries of a block list by removing lines and adding lines at its end, so that comments stay.
 * Returns false if that is impossible: another kind of list, another order, or no entry that stays.
 */
export function editList(editor: Editor, field: Field, wanted: readonly unknown[]): boolean {
  const lines = field.alias ? null : linesOf(editor.file.text, field);
  if (lines === null || !wanted.every((item) => typeof item === 'string')) return false;
  const kept = keptItems(lines, wanted);
  const last = lines.at(-1);
  if (kept === null || last === undefined) return false;
  const splices: Splice[] = lines
    .filter((line) => !kept.includes(line))
    .map((line) => ({ start: line.start, end: line.end, text: '' }));
  const added = wanted.slice(kept.length).map((item) => renderItem(item, last.indent, editor.eol));
  if (added.length > 0) splices.push({ start: last.end, end: last.end, text: added.join('') });
  editor.splices.push(...splices);
  return true;
}

/** The entries that stay, if they are the first of the desired ones, in order. */
function keptItems(lines: readonly ItemLines[], wanted: readonly unknown[]): ItemLines[] | null {
  const kept: ItemLines[] = [];
  for (const line of lines) if (line.value === wanted[kept.length]) kept.push(line);
  const left: ReadonlySet<unknown> = new Set(wanted.slice(kept.length));
  return kept.length === 0 || lines.some((line) => left.has(line.value)) ? null : kept;
}

function linesOf(text: string, field: Field): ItemLines[] | null {
  const { tree } = field;
  const token = isSeq(tree.node) ? (tree.node as YAMLSeq).srcToken : undefined;
  if (tree.kind !== 'list' || token?.type !== 'block-seq') return null;
  const items = (token.items as CST.CollectionItem[]).filter((item) => itemEnd(item) !== null);
  if (items.length !== tree.items.length) return null;
  const lines = items.map((item, i) => itemLines(text, item, tree.value[i]));
  return lines.every((line) => /^ *$/.test(line.indent)) ? lines : null;
}

function itemLines(text: string, item: CST.CollectionItem, value: unknown): ItemLines {
  const own = itemStart(item);
  const start = lineStart(text, own);
  return { value, start, end: lineEnd(text, itemEnd(item) ?? own), indent: text.slice(start, own) };
}
