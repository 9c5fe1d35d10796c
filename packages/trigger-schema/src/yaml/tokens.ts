import { type CST, Lexer, Parser } from 'yaml';

// Parsing and composing recurse: a file of brackets would overflow the stack, which cannot be caught reliably.
const MAX_DEPTH = 100;
// Each error of a hostile file costs an object, and the first few are enough.
const MAX_FAULTS = 20;

/** An error at an offset of the text. */
export interface TextFault {
  readonly offset: number;
  readonly message: string;
  /** The same without text of the file. Default: the message, which repeats none. */
  readonly plain?: string;
}

/** An error that does not say what is wrong, because that would repeat the text. */
export const NOT_YAML = 'is not valid YAML.';
const TAG = 'has a tag (!) that is not allowed. Remove it, or put the text in quotes.';
// The library puts text of the file after a colon, and after these words.
const REPEATS = /\w: |YAML version|directive|escape/s;

/** A message of the YAML library as the rest of a sentence that begins with the name of a file. */
export function notYaml(message: string): Omit<TextFault, 'offset'> {
  const said = `is not valid YAML: ${message}`;
  if (/\btags?\b/i.test(message)) return { message: said, plain: TAG };
  return REPEATS.test(message) ? { message: said, plain: NOT_YAML } : { message: said };
}

/** The concrete syntax of a text, or why parsing stopped. */
export type Tokens =
  | { readonly ok: true; readonly tokens: readonly CST.Token[] }
  | { readonly ok: false; readonly faults: readonly TextFault[] };

/** Splits a text into the tokens of its documents, with bounded depth. */
export function readTokens(text: string): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const faults: TextFault[] = [];
  const take = (found: Iterable<CST.Token>): void => {
    for (const token of found) {
      if (token.type === 'error') faults.push({ offset: token.offset, ...notYaml(token.message) });
      tokens.push(token);
    }
  };
  for (const lexeme of new Lexer().lex(text)) {
    take(parser.next(lexeme));
    if (faults.length >= MAX_FAULTS) return { ok: false, faults };
    if (parser.stack.length > MAX_DEPTH) {
      const message = `nests more than ${MAX_DEPTH} levels deep; flatten it.`;
      return { ok: false, faults: [...faults, { offset: parser.offset, message }] };
    }
  }
  take(parser.end());
  return faults.length > 0 ? { ok: false, faults } : { ok: true, tokens };
}
