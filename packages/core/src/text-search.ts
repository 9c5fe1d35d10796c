/** A range in a text; `until` is exclusive. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Searches for many words at once, in one pass over a text (Aho and Corasick, 1975). */
export interface TextSearch {
  /** The matches in order; overlapping matches are merged into one span. */
  find(text: string): Span[];
  /**
   * Where the longest end of a text starts that is the beginning of a word; the length of the text if there is
   * none.
   */
  openEnd(text: string): number;
}

interface Automaton {
  /** The next state by state and character. */
  readonly next: ReadonlyMap<number, number>;
  /** The state of the longest proper suffix that is also the beginning of a word. */
  readonly fail: Int32Array;
  /** The number of characters that lead to a state. */
  readonly depth: Int32Array;
  /** 1 for a state that is the beginning of a longer word. */
  readonly goesOn: Uint8Array;
  /** Length of the longest word that ends in a state; 0 for none. */
  readonly word: Int32Array;
}

const CHARACTERS = 65_536;

/** Creates a search for non-empty words. Its cost does not depend on how similar the words and the text are. */
export function createTextSearch(words: readonly string[]): TextSearch {
  const automaton = build(words);
  const { depth, word, fail, goesOn } = automaton;
  const longest = Math.max(0, ...words.map(({ length }) => length));
  return {
    find(text) {
      const spans: { from: number; until: number }[] = [];
      walk(automaton, text, 0, (state, at) => {
        const length = word[state] ?? 0;
        if (length === 0) return;
        let from = at + 1 - length;
        for (
          let last = spans.at(-1);
          last !== undefined && last.until > from;
          last = spans.at(-1)
        ) {
          from = Math.min(from, last.from);
          spans.pop();
        }
        spans.push({ from, until: at + 1 });
      });
      return spans;
    },
    openEnd(text) {
      let state = walk(automaton, text, Math.max(0, text.length - longest), () => {});
      while (state !== 0 && goesOn[state] !== 1) state = fail[state] ?? 0;
      return text.length - (depth[state] ?? 0);
    },
  };
}

function walk(
  { next, fail }: Automaton,
  text: string,
  from: number,
  visit: (state: number, at: number) => void,
): number {
  let state = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    let to = next.get(state * CHARACTERS + character);
    while (to === undefined && state !== 0) {
      state = fail[state] ?? 0;
      to = next.get(state * CHARACTERS + character);
    }
    state = to ?? 0;
    if (state !== 0) visit(state, at);
  }
  return state;
}

function build(words: readonly string[]): Automaton {
  const next = new Map<number, number>();
  const edges: { readonly from: number; readonly character: number; readonly to: number }[] = [];
  const ends: number[] = [];
  for (const text of words) {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      const key = state * CHARACTERS + character;
      const known = next.get(key);
      const to = known ?? edges.length + 1;
      if (known === undefined) {
        next.set(key, to);
        edges.push({ from: state, character, to });
      }
      state = to;
    }
    ends.push(state);
  }
  const depth = new Int32Array(edges.length + 1);
  const goesOn = new Uint8Array(edges.length + 1);
  for (const { from, to } of edges) {
    depth[to] = (depth[from] ?? 0) + 1;
    goesOn[from] = 1;
  }
  const word = new Int32Array(edges.length + 1);
  for (const state of ends) word[state] = depth[state] ?? 0;
  return { next, depth, goesOn, word, fail: failures(next, edges, depth, word) };
}

// Processes states by depth, because a state falls back to a less deep one.
function failures(
  next: ReadonlyMap<number, number>,
  edges: readonly { readonly from: number; readonly character: number; readonly to: number }[],
  depth: Int32Array,
  word: Int32Array,
): Int32Array {
  const fail = new Int32Array(edges.length + 1);
  const byDepth = [...edges].sort((a, b) => (depth[a.to] ?? 0) - (depth[b.to] ?? 0));
  for (const { from, character, to } of byDepth) {
    let state = from;
    let fallback: number | undefined;
    while (state !== 0 && fallback === undefined) {
      state = fail[state] ?? 0;
      fallback = next.get(state * CHARACTERS + character);
    }
    fail[to] = fallback ?? 0;
    if (word[to] === 0) word[to] = word[fail[to] ?? 0] ?? 0;
  }
  return fail;
}
