import type { CST } from 'yaml';
import { lineEnd, lineStart } from './splice.ts';

/** The span of one pair of a map, and of its value, in the text. */
export interface PairSpan {
  /** First character of the pair itself, after blanks and comments. */
  readonly start: number;
  /** After its last character; after its last line break for a block scalar. */
  readonly end: number;
  /** After the `:`; null if there is none. */
  readonly colonEnd: number | null;
  /** After the key. */
  readonly keyEnd: number;
  /** The value on the line of the `:`, with its anchor and tag; empty at `colonEnd` if there is none. */
  readonly inline: { readonly start: number; readonly end: number };
  /** The lines of the value below that line. */
  readonly body: { readonly start: number; readonly end: number };
}

const BLANK: ReadonlySet<string> = new Set(['space', 'newline', 'comment', 'comma']);
const PROPS: ReadonlySet<string> = new Set(['anchor', 'tag']);

/** The span of one pair. */
export function pairSpan(text: string, item: CST.CollectionItem): PairSpan {
  const start = itemStart(item);
  const colon = item.sep?.find((token) => token.type === 'map-value-ind');
  const keyEnd = item.key ? tokenEnd(item.key) : start;
  const colonEnd = colon === undefined ? null : colon.offset + 1;
  const end = itemEnd(item) ?? keyEnd;
  const { inline, body } = valueParts(text, item, colonEnd ?? keyEnd);
  return { start, end, colonEnd, keyEnd, inline, body };
}

/** Start of the pair. */
export function itemStart(item: CST.CollectionItem): number {
  const own = item.start.find((token) => !BLANK.has(token.type));
  return own?.offset ?? item.key?.offset ?? item.sep?.[0]?.offset ?? item.value?.offset ?? 0;
}

/** End of the pair without the comments after it; null for an item of comments only. */
export function itemEnd(item: CST.CollectionItem): number | null {
  if (item.value) return tokenEnd(item.value);
  const own = [...item.start, ...(item.sep ?? [])].filter((token) => !BLANK.has(token.type));
  const last = own.at(-1);
  const keyEnd = item.key ? tokenEnd(item.key) : null;
  if (last === undefined) return keyEnd;
  return Math.max(last.offset + last.source.length, keyEnd ?? 0);
}

/** End of a token without spaces and comments after it. */
export function tokenEnd(token: CST.Token): number {
  switch (token.type) {
    case 'block-scalar': {
      const props = token.props.reduce((sum, prop) => sum + tokenLength(prop), 0);
      return token.offset + props + token.source.length;
    }
    case 'flow-collection': {
      const close = token.end.find((end) => end.type.startsWith('flow-'));
      return close === undefined ? token.offset + 1 : close.offset + 1;
    }
    case 'block-map':
    case 'block-seq': {
      const items: CST.CollectionItem[] = token.items;
      const last = items.findLast((item) => itemEnd(item) !== null);
      return (last === undefined ? null : itemEnd(last)) ?? token.offset;
    }
    default:
      return token.offset + tokenLength(token);
  }
}

function tokenLength(token: CST.Token): number {
  return 'source' in token ? token.source.length : 0;
}

function valueParts(
  text: string,
  item: CST.CollectionItem,
  from: number,
): Pick<PairSpan, 'inline' | 'body'> {
  const props = (item.sep ?? []).filter((t) => PROPS.has(t.type) && t.offset >= from);
  const value = item.value ?? null;
  const first = props[0]?.offset ?? value?.offset;
  const headEnd = lineEnd(text, Math.max(from, 1));
  const none = { start: from, end: from };
  if (first === undefined) return { inline: none, body: { start: headEnd, end: headEnd } };
  if (first >= headEnd)
    return { inline: none, body: { start: headEnd, end: valueEnd(text, item) } };
  const lastProp = props.at(-1);
  const propsEnd = lastProp === undefined ? first : lastProp.offset + lastProp.source.length;
  if (value === null || value.offset >= headEnd) {
    const end = value === null ? headEnd : valueEnd(text, item);
    return { inline: { start: first, end: propsEnd }, body: { start: headEnd, end } };
  }
  if (value.type === 'block-scalar') {
    const header = value.props.find((prop) => prop.type === 'block-scalar-header');
    const end = header === undefined ? value.offset : header.offset + tokenLength(header);
    return { inline: { start: first, end }, body: { start: headEnd, end: tokenEnd(value) } };
  }
  const end = tokenEnd(value);
  const after = lineEnd(text, end);
  return { inline: { start: first, end }, body: { start: after, end: after } };
}

function valueEnd(text: string, item: CST.CollectionItem): number {
  return lineEnd(text, itemEnd(item) ?? 0);
}

/** The lines of a pair of a block map; null if its first line has other content. */
export function pairLines(
  text: string,
  span: PairSpan,
): { readonly start: number; readonly end: number; readonly indent: string } | null {
  const start = lineStart(text, span.start);
  const indent = text.slice(start, span.start);
  if (!/^ *$/.test(indent)) return null;
  return { start, end: lineEnd(text, span.end), indent };
}
