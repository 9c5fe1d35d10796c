import { type CST, Lexer, Parser } from 'yaml';

// Parsing and composing recurse: a file of brackets would overflow the stack, which cannot be caught reliably.
const MAX_DEPTH = 100;
// Each error of a hostile file costs an object, and the first few are enough.
const MAX_FAULTS = 20;

/** An error at an offset of the text. */
export interface TextFault {
  readonly offset: number;
  readonly message: string;
}

/** A message of the YAML library as the rest of a sentence that begins with the name of a file. */
export function notYaml(message: string): string {
  return `is not valid YAML: ${message}`;
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
      if (token.type === 'error')
        faults.push({ offset: token.offset, message: notYaml(token.message) });
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
