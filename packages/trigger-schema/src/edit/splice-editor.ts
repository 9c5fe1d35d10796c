import { type CST, isMap, type YAMLMap } from 'yaml';
import type { YamlFile } from '../yaml/file.ts';
import type { Field, MapTree } from '../yaml/tree.ts';
import { flowInsertion, flowNewValue, flowRemoval, flowReplacement } from './flow.ts';
import {
  type Layout,
  type Rendered,
  renderAlike,
  renderBlock,
  renderFlow,
  renderPair,
  type TextStyle,
} from './render.ts';
import { itemEnd, type PairSpan, pairLines, pairSpan } from './span.ts';
import { lineBreak, lineEnd, type Splice } from './splice.ts';

/** How an edit writes. */
export interface EditStyle {
  readonly text: TextStyle;
  /** Leave a `#` line where lines are removed, so that a block scalar above does not absorb the lines below. */
  readonly mark: boolean;
}

/** A map and its place in the text. */
export interface MapPlace {
  readonly tree: MapTree;
  readonly token: CST.BlockMap | CST.FlowCollection;
}

const NOT_ON_LINES = 'is written in a form that cannot be edited in place; reformat it by hand';

/** Collects the splices of one round over one file. Flow maps get one change per round, because commas are shared. */
export class Editor {
  readonly file: YamlFile;
  readonly step: string;
  readonly style: EditStyle;
  readonly eol: string;
  readonly splices: Splice[] = [];
  /** Why the edit cannot be made; null while it can. */
  blocked: string | null = null;
  #flowChanged = false;

  constructor(file: YamlFile, step: string, style: EditStyle) {
    this.file = file;
    this.step = step;
    this.style = style;
    this.eol = lineBreak(file.text);
  }

  /** Replaces the value of a field of the map itself. */
  replace(place: MapPlace, field: Field, value: unknown): void {
    const { text } = this.file;
    const span = spanOf(text, field);
    if (span === null) {
      this.#block();
    } else if (place.token.type === 'flow-collection') {
      const { colonEnd } = span;
      const written = this.#alike(field, value, false) ?? renderFlow(value);
      this.#flow([
        colonEnd === null ? flowNewValue(span, written) : flowReplacement(span, colonEnd, written),
      ]);
    } else {
      this.#replaceLines(place, field, span, value);
    }
  }

  #replaceLines(place: MapPlace, field: Field, span: PairSpan, value: unknown): void {
    const { text } = this.file;
    const layout = this.#layout(place);
    const onLines = layout !== null && pairLines(text, span) !== null;
    if (!onLines || span.colonEnd === null || hasCompactValue(text, field, span)) {
      this.#block();
    } else {
      const alike = this.#alike(field, value, true);
      const written = alike === null ? renderBlock(value, layout) : { inline: alike, body: '' };
      this.splices.push(...blockReplacement(span, span.colonEnd, written));
    }
  }

  #alike(field: Field, value: unknown, inBlock: boolean): string | null {
    return this.style.text === 'literal' ? renderAlike(value, field.tree.node, inBlock) : null;
  }

  /** Removes a field from the map. */
  remove(place: MapPlace, field: Field): void {
    const { text } = this.file;
    const span = spanOf(text, field);
    if (span !== null && place.token.type === 'flow-collection') {
      this.#flow(flowRemoval(text, place.token, span));
      return;
    }
    const lines = span === null ? null : pairLines(text, span);
    if (lines === null) {
      this.#block();
    } else {
      const left = this.style.mark ? `${lines.indent}#${this.eol}` : '';
      this.splices.push({ start: lines.start, end: lines.end, text: left });
    }
  }

  /** Adds a field to the map, after another one or at its end. */
  insert(place: MapPlace, after: Field | null, key: string, value: unknown): void {
    if (place.token.type === 'flow-collection') {
      this.#flow([flowInsertion(place.token, key, value)]);
      return;
    }
    const { text } = this.file;
    const layout = this.#layout(place);
    const span = (after === null ? null : spanOf(text, after)) ?? lastSpan(text, place.token);
    const lines = span === null ? null : pairLines(text, span);
    if (layout === null || lines === null) {
      this.#block();
    } else {
      const written = renderPair(key, value, layout);
      const at = after === null ? afterComments(text, lines.end, layout.indent) : lines.end;
      // Without the blank line the comments would seem to belong to the next line.
      const gap = at > lines.end ? this.eol : '';
      this.splices.push({ start: at, end: at, text: gap + written });
    }
  }

  /** The layout of a block map; null if its fields do not begin on their own lines. */
  #layout(place: MapPlace): Layout | null {
    const indent = blockIndent(this.file.text, place.token);
    return indent === null
      ? null
      : { indent, step: this.step, eol: this.eol, style: this.style.text };
  }

  #block(): void {
    this.blocked ??= NOT_ON_LINES;
  }

  #flow(splices: readonly Splice[]): void {
    if (!this.#flowChanged) this.splices.push(...splices);
    this.#flowChanged = true;
  }
}

/** The map in a field, if it is written there. */
export function mapPlace(field: Field | undefined): MapPlace | null {
  if (field === undefined || field.alias || field.tree.kind !== 'map') return null;
  return placeOfTree(field.tree);
}

/** The place of a map in the text. */
export function placeOfTree(tree: MapTree): MapPlace | null {
  const token = isMap(tree.node) ? (tree.node as YAMLMap).srcToken : undefined;
  return token?.type === 'block-map' || token?.type === 'flow-collection' ? { tree, token } : null;
}

/** The span of a field; null if it comes from a merge key. */
export function spanOf(text: string, field: Field): PairSpan | null {
  const item = field.pair?.srcToken;
  return item === undefined || item === null ? null : pairSpan(text, item as CST.CollectionItem);
}

/** Indentation of the fields of a block map; null if the first does not begin on its own line. */
export function blockIndent(text: string, token: MapPlace['token']): string | null {
  const first = (token.items as CST.CollectionItem[]).find((item) => itemEnd(item) !== null);
  if (token.type !== 'block-map' || first === undefined) return null;
  return pairLines(text, pairSpan(text, first))?.indent ?? null;
}

/** End of the comments below a map that are indented at least as far as its fields. */
function afterComments(text: string, from: number, indent: string): number {
  let end = from;
  for (let at = from; at < text.length; at = lineEnd(text, at + 1)) {
    const line = text.slice(at, lineEnd(text, at + 1));
    const [, blanks = '', mark = ''] = /^( *)(#?)/.exec(line) ?? [];
    if (mark === '#' && blanks.length >= indent.length) end = at + line.length;
    else if (line.trim() !== '') break;
  }
  return end;
}

function lastSpan(text: string, token: MapPlace['token']): PairSpan | null {
  const last = (token.items as CST.CollectionItem[]).findLast((item) => itemEnd(item) !== null);
  return last === undefined ? null : pairSpan(text, last);
}

/** Whether a block value begins on the line of its `:`, which is allowed after an explicit key. */
function hasCompactValue(text: string, field: Field, span: PairSpan): boolean {
  const type = (field.pair?.srcToken?.value as CST.Token | undefined)?.type;
  const isBlock = type === 'block-map' || type === 'block-seq';
  const explicit = text[span.start] === '?';
  return (
    explicit ||
    (isBlock && span.inline.end > span.inline.start && span.body.start === span.body.end)
  );
}

function blockReplacement(span: PairSpan, colonEnd: number, value: Rendered): Splice[] {
  const { inline, body } = span;
  const splices: Splice[] = [{ start: body.start, end: body.end, text: value.body }];
  const stands = inline.end > inline.start;
  if (value.inline === '')
    splices.push({ start: colonEnd, end: Math.max(inline.end, colonEnd), text: '' });
  else if (stands) splices.push({ start: inline.start, end: inline.end, text: value.inline });
  else splices.push({ start: colonEnd, end: colonEnd, text: ` ${value.inline}` });
  return splices;
}
