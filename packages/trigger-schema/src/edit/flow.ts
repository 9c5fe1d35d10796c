import type { CST } from 'yaml';
import { renderFlowPair } from './render.ts';
import { itemEnd, itemStart, type PairSpan } from './span.ts';
import type { Splice } from './splice.ts';

/** Splice that adds a value, already rendered, to a pair of a flow map that consists of a key only. */
export function flowNewValue(span: PairSpan, written: string): Splice {
  return { start: span.keyEnd, end: span.keyEnd, text: `: ${written}` };
}

/** Splice that replaces the value of a pair of a flow map. */
export function flowReplacement(span: PairSpan, colonEnd: number, written: string): Splice {
  // In a flow map a value may begin on a later line than its key.
  const start = span.inline.end > span.inline.start ? span.inline.start : colonEnd;
  const end = Math.max(span.end, colonEnd);
  return { start, end, text: start === colonEnd ? ` ${written}` : written };
}

/** Splice that adds a pair at the end of a flow map. */
export function flowInsertion(token: CST.FlowCollection, key: string, value: unknown): Splice {
  const pair = renderFlowPair(key, value);
  const last = token.items.findLast((item) => itemEnd(item) !== null);
  const end = last === undefined ? null : itemEnd(last);
  if (end === null) {
    const open = token.offset + 1;
    return { start: open, end: open, text: pair };
  }
  return { start: end, end, text: `, ${pair}` };
}

/** Splice that removes a pair of a flow map with one adjacent comma; comments stay. */
export function flowRemoval(text: string, token: CST.FlowCollection, span: PairSpan): Splice[] {
  const index = token.items.findIndex(
    (item) => itemEnd(item) !== null && itemStart(item) === span.start,
  );
  const own = token.items[index]?.start ?? [];
  const next = token.items[index + 1];
  const before = own.find((part) => part.type === 'comma');
  const after = next?.start.find((part) => part.type === 'comma');
  const joined = own.every((part) => part.type === 'comma' || part.type === 'space');
  const isLast = next === undefined || itemEnd(next) === null;
  if (isLast && before !== undefined && joined) {
    return [{ start: before.offset, end: span.end, text: '' }];
  }
  const pair = { start: span.start, end: span.end, text: '' };
  if (after === undefined) return [pair];
  const blanks = /^[ \t]*(?=[^ \t\r\n#])/.exec(text.slice(after.offset + 1))?.[0] ?? '';
  return [pair, { start: after.offset, end: after.offset + 1 + blanks.length, text: '' }];
}
