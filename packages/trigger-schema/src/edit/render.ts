import { isRecord } from '@svc/core';
import { isScalar, type Node } from 'yaml';

/** Style of a text of several lines: a literal block where possible, or double quotes. */
export type TextStyle = 'literal' | 'quoted';

/** Layout of values in a block map. */
export interface Layout {
  /** Indentation of the key that the value belongs to. */
  readonly indent: string;
  /** Additional indentation per level. */
  readonly step: string;
  readonly eol: string;
  readonly style: TextStyle;
}

/** A value after a key: its part on the line of the key, and whole lines below. */
export interface Rendered {
  readonly inline: string;
  readonly body: string;
}

const MAX_LINE = 100;

/** Writes a value in block style. */
export function renderBlock(value: unknown, layout: Layout): Rendered {
  if (typeof value === 'string' && value.includes('\n') && layout.style === 'literal') {
    const literal = renderLiteral(value, layout);
    if (literal !== null) return literal;
  }
  if (Array.isArray(value)) return renderList(value, layout);
  if (isRecord(value) && Object.keys(value).length > 0) {
    const inner = { ...layout, indent: layout.indent + layout.step };
    const lines = Object.entries(value).map(([key, field]) => renderPair(key, field, inner));
    return { inline: '', body: lines.join('') };
  }
  return { inline: renderFlow(value, true), body: '' };
}

/** Writes a key and its value as whole lines. */
export function renderPair(key: string, value: unknown, layout: Layout): string {
  const { inline, body } = renderBlock(value, layout);
  const gap = inline === '' ? '' : ' ';
  return `${layout.indent}${renderText(key, false)}:${gap}${inline}${layout.eol}${body}`;
}

function renderList(items: readonly unknown[], layout: Layout): Rendered {
  const flow = renderFlow(items);
  const simple = items.every((item) => typeof item !== 'object');
  if (simple && flow.length + layout.indent.length <= MAX_LINE) return { inline: flow, body: '' };
  const lines = items.map((item) => renderItem(item, layout.indent + layout.step, layout.eol));
  return { inline: '', body: lines.join('') };
}

/** Writes one entry of a block list as a whole line. */
export function renderItem(item: unknown, indent: string, eol: string): string {
  return `${indent}- ${renderFlow(item)}${eol}`;
}

/** Writes a value on one line. Inside a block, plain text may contain more characters. */
export function renderFlow(value: unknown, inBlock = false): string {
  if (typeof value === 'string') return renderText(value, inBlock);
  if (typeof value === 'number') return renderNumber(value);
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item)).join(', ')}]`;
  if (!isRecord(value)) return String(value);
  const pairs = Object.entries(value).map(([key, field]) => renderFlowPair(key, field));
  return `{${pairs.join(', ')}}`;
}

/** Writes a key and its value for a flow map. */
export function renderFlowPair(key: string, value: unknown): string {
  return `${renderText(key, false)}: ${renderFlow(value)}`;
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

// Narrower than YAML allows, so that every reader of every version reads it as text.
const WORD = /^\p{L}[\p{L}\p{N}_./+@-]*(?: [\p{L}\p{N}_./+@(-][\p{L}\p{N}_./+@()-]*)*$/u;
const PHRASE =
  /^\p{L}(?:[^\p{C}\p{Z}:#]|:(?=[^\p{C}\p{Z}])|(?<=[^\p{C}\p{Z}])#| (?=[^\p{C}\p{Z}#]))*$/u;
const DURATION = /^[1-9]\d*[smhdw]$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** Writes a text on one line: plain if that is safe, otherwise in double quotes. */
function renderText(text: string, inBlock: boolean): string {
  const plain = WORD.test(text) || DURATION.test(text) || (inBlock && PHRASE.test(text));
  return plain && !RESERVED.test(text) ? text : quoteText(text);
}

// It begins with a digit: a * there would be an alias.
const CRON = /^\d[\d,/*-]*(?: [\dA-Za-z,/*-]+){4}$/;
const VISIBLE = /^[^\p{C}\u2028\u2029]+$/u;

/**
 * Writes a text in the style of the text that it replaces: plain if that is safe, or in single quotes; null if that
 * has another style.
 */
export function renderAlike(value: unknown, stands: Node | null, inBlock: boolean): string | null {
  if (typeof value !== 'string' || !isScalar(stands)) return null;
  if (stands.type === 'PLAIN') {
    return CRON.test(value) && (inBlock || !value.includes(',')) ? value : null;
  }
  const isQuotable = stands.type === 'QUOTE_SINGLE' && VISIBLE.test(value);
  return isQuotable ? `'${value.replaceAll("'", "''")}'` : null;
}

/** JSON is YAML, except for characters that JSON leaves unescaped. */
function quoteText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A literal block scalar; null for a text that cannot be one. */
function renderLiteral(text: string, layout: Layout): Rendered | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a literal cannot hold
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/.test(text))
    return null;
  if (!/\S/.test(text) || layout.step.length > 9) return null;
  const chomp = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  // An explicit indentation, if the first lines would be misleading.
  const indicator =
    /^[ \t]/.test(text) || lines[0]?.trim() === '' ? String(layout.step.length) : '';
  const indent = layout.indent + layout.step;
  const body = lines.map((line) => (line === '' ? '' : indent + line) + layout.eol).join('');
  return { inline: `|${indicator}${chomp}`, body };
}
