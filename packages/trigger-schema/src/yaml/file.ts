import { abridged, type Checked, type Issue, invalid, success } from '@svc/core';
import { Composer, type CST, type Document, type Node } from 'yaml';
import { utf8Length } from '../plain.ts';
import type { Position } from '../report.ts';
import { explained } from './explain.ts';
import { notYaml, readTokens, type TextFault } from './tokens.ts';
import { type AliasUse, readTree, type Tree } from './tree.ts';

const MAX_FAULTS = 20;
const MAX_WARNINGS = 100;
const MAX_BYTES = 1024 * 1024;
const BOM = '\uFEFF';

/** A text that was parsed as one YAML document. */
export interface YamlFile {
  readonly text: string;
  /** Null for an empty file. */
  readonly tree: Tree | null;
  readonly document: Document.Parsed | null;
  readonly aliases: readonly AliasUse[];
  readonly warnings: readonly Issue[];
  /** Position of a `...` that ends the document; null if there is none. */
  readonly endMark: number | null;
  position(offset: number): Position;
}

/**
 * Parses one YAML 1.2 document (core schema; merge keys work), at most 1 MiB of UTF-8, at most 100 levels deep.
 * Refuses, with line and column: invalid YAML, duplicate keys, tags outside the core schema, a second document,
 * control characters, and aliases that have no anchor, form a circle, or repeat more than 1 MiB. Never throws.
 *
 * @param options `repeatsText`: whether errors may repeat text of the file, which may be a secret. Default: true
 */
export function readYaml(
  text: string,
  { repeatsText = true }: { readonly repeatsText?: boolean } = {},
): Checked<YamlFile> {
  const position = createPositions(text);
  const issueOf = ({ offset, message, plain = message }: TextFault) => ({
    ...{ path: '', message: repeatsText ? message : plain },
    ...position(offset),
  });
  const refuse = (faults: readonly TextFault[]) => invalid(...faults.map(issueOf));
  const fault = textFault(text);
  if (fault !== null) return refuse([fault]);
  const tokens = readTokens(text);
  if (!tokens.ok)
    return refuse(explained(text, tokens.faults.slice(0, MAX_FAULTS)).map(asSentence));
  const composed = compose(tokens.tokens, text.length);
  if (composed.faults.length > 0) return refuse(explained(text, composed.faults).map(asSentence));
  const { document } = composed;
  const reading = readTree((document?.contents ?? null) as Node | null);
  if (reading.faults.length > 0) return refuse(reading.faults);
  const warnings = (document?.warnings ?? []).map((warning) => ({
    path: '',
    message: `has a YAML warning: ${warning.message}.`,
    ...position(warning.pos[0]),
  }));
  const { tree, aliases } = reading;
  const endMark = tokens.tokens.find((token) => token.type === 'doc-end')?.offset ?? null;
  return success({ text, tree, document, aliases, warnings, endMark, position });
}

/** Whether a text exceeds the size limit of a file. */
export function isTooLarge(text: string): boolean {
  return utf8Length(text) > MAX_BYTES;
}

function textFault(text: string): TextFault | null {
  if (isTooLarge(text)) {
    return { offset: 0, message: 'must be at most 1 MiB; move prompts into files.' };
  }
  // The only control characters that YAML allows are tab, line feed and carriage return.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const offset = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (offset < 0) return null;
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  return { offset, message: `contains the control character U+${code}; remove it.` };
}

type Composed = { document: Document.Parsed | null; faults: readonly TextFault[] };

function compose(tokens: Iterable<CST.Token>, length: number): Composed {
  const composer = new BoundedComposer({
    schema: 'core',
    resolveKnownTags: false,
    keepSourceTokens: true,
    // The composer needs quadratic time to find duplicate keys.
    uniqueKeys: false,
  });
  try {
    const [document, second] = composer.compose(tokens, true, length);
    // The document may have errors that the composer did not report.
    const faults = composer.faults.length > 0 ? composer.faults : errorsOf(document);
    if (second !== undefined) faults.push(secondDocument(second.range[0]));
    return { document: (document as Document.Parsed | undefined) ?? null, faults };
  } catch (thrown) {
    if (!(thrown instanceof TooManyFaults)) throw thrown;
    return { document: null, faults: composer.faults };
  }
}

function errorsOf(
  document: { readonly errors: Document.Parsed['errors'] } | undefined,
): TextFault[] {
  const errors = document?.errors.slice(0, MAX_FAULTS) ?? [];
  return errors.map(({ pos, message }) => ({ offset: pos[0], ...notYaml(message) }));
}

function secondDocument(offset: number): TextFault {
  return { offset, message: 'contains a second document; keep one, without a further ---.' };
}

class TooManyFaults extends Error {}

/** The part of a composer that receives errors; private in its types. */
interface Heard {
  onError: (source: FaultSource, code: string, message: string, warning?: boolean) => void;
}
type FaultSource = number | readonly [number, number] | { readonly offset: number };

/** A composer that stops after the first errors: a hostile file would create a million error objects. */
class BoundedComposer extends Composer {
  readonly faults: TextFault[] = [];
  #warned = 0;

  constructor(options: ConstructorParameters<typeof Composer>[0]) {
    super(options);
    const heard = this as unknown as Heard;
    const pass = heard.onError;
    heard.onError = (source, code, message, warning) => {
      pass(source, code, message, warning);
      const isTag = code === 'TAG_RESOLVE_FAILED';
      if (warning === true && !isTag) this.#warned += 1;
      if (warning === true && !isTag && this.#warned < MAX_WARNINGS) return;
      const offset = offsetOf(source);
      this.faults.push({ offset, ...predicateOf(message, isTag) });
      if (this.faults.length + this.#warned >= MAX_WARNINGS || this.faults.length >= MAX_FAULTS)
        throw new TooManyFaults();
    };
  }
}

function offsetOf(source: FaultSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

function predicateOf(message: string, isTag: boolean): Omit<TextFault, 'offset'> {
  const hint = isTag ? '; only tags of the YAML core schema are allowed, remove it.' : '';
  const said = notYaml(message);
  return { ...said, message: said.message + hint };
}

/** Ends the message with a full stop and limits its length. */
function asSentence(fault: TextFault): TextFault {
  const message = abridged(fault.message, 201);
  return { ...fault, message: /[.!?…]$/.test(message) ? message : `${message}.` };
}

/** Converts offsets to lines and columns from 1; a byte order mark has no column. */
function createPositions(text: string): (offset: number) => Position {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const column = offset - (starts[low] ?? 0) + 1;
    const shift = low === 0 && text.startsWith(BOM) ? 1 : 0;
    return { line: low + 1, column: Math.max(column - shift, 1) };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
