import {
  type Alias,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Plain, put } from '../plain.ts';
import type { TextFault } from './tokens.ts';

/** A value of the file with its position. Aliases and merge keys are resolved; shared values are the same object. */
export type Tree = LeafTree | ListTree | MapTree;

interface TreeBase {
  readonly offset: number;
  /** The parsed node; null for a value that is not written. */
  readonly node: Node | null;
  /** Number of nodes and characters in it, with aliases expanded. */
  readonly weight: number;
}
interface LeafTree extends TreeBase {
  readonly kind: 'leaf';
  readonly value: unknown;
}
interface ListTree extends TreeBase {
  readonly kind: 'list';
  readonly value: readonly unknown[];
  readonly items: readonly Tree[];
}
export interface MapTree extends TreeBase {
  readonly kind: 'map';
  readonly value: Plain;
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields from merge keys, including those that the map itself overrides. */
  readonly merged: ReadonlyMap<string, Field>;
}

/** A field of a map. */
export interface Field {
  readonly tree: Tree;
  readonly keyOffset: number;
  /** The pair in the map itself; null if the field comes from a merge key. */
  readonly pair: Pair<Node, Node | null> | null;
  /** Whether the value is an alias, so that its text is elsewhere. */
  readonly alias: boolean;
}

/** A use of an anchor. */
export interface AliasUse {
  readonly name: string;
  readonly offset: number;
  readonly anchorOffset: number;
}

export interface TreeReading {
  readonly tree: Tree | null;
  readonly faults: readonly TextFault[];
  readonly aliases: readonly AliasUse[];
}

const MAX_FAULTS = 20;
const MOST_ALIASES = 10_000;
const MAX_EXPANDED = 1024 * 1024;

/** Stops the walk, because further errors would follow from the first ones. */
class Stop extends Error {}

/** Converts composed nodes to a tree: own keys only, no duplicates, aliases within bounds and without circles. */
export function readTree(contents: Node | null): TreeReading {
  const reader = new TreeReader();
  try {
    const tree = contents === null ? null : reader.read(contents, contents.range?.[0] ?? 0);
    return { tree, faults: reader.faults, aliases: reader.aliases };
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    return { tree: null, faults: reader.faults, aliases: [] };
  }
}

class TreeReader {
  readonly faults: TextFault[] = [];
  readonly aliases: AliasUse[] = [];
  readonly #anchors = new Map<string, { offset: number; tree: Tree | null }>();
  #expanded = 0;

  read(node: Node | null, missingAt: number): Tree {
    if (node === null) return leaf(null, null, missingAt);
    const offset = node.range?.[0] ?? missingAt;
    if (isAlias(node)) return this.#resolve(node, offset);
    const anchor = (node as Scalar | YAMLMap | YAMLSeq).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, { offset, tree: null });
    const tree = this.#readOwn(node, offset);
    if (anchor !== undefined) this.#anchors.set(anchor, { offset, tree });
    return tree;
  }

  #readOwn(node: Node, offset: number): Tree {
    if (isMap(node)) return this.#readMap(node as YAMLMap<Node, Node | null>, offset);
    if (isSeq(node)) {
      const items = (node as YAMLSeq<Node>).items.map((item) => this.read(item, offset));
      const value = items.map((item) => item.value);
      return { kind: 'list', node, offset, items, value, weight: weigh(items) };
    }
    return leaf(node, isScalar(node) ? node.value : null, offset);
  }

  #readMap(node: YAMLMap<Node, Node | null>, offset: number): MapTree {
    const fields = new Map<string, Field>();
    const merged = new Map<string, Field>();
    for (const pair of node.items) {
      if (!isPair(pair)) continue;
      const keyOffset = pair.key?.range?.[0] ?? offset;
      if (isMergeKey(pair)) {
        this.#merge(pair, merged);
        continue;
      }
      const key = this.#keyText(pair.key, keyOffset);
      if (fields.has(key)) {
        const shown = JSON.stringify(key.slice(0, 80));
        const plain = 'has a key twice. Keep one.';
        this.#fault(keyOffset, `has the key ${shown} twice; keep one.`, plain);
      }
      const tree = this.read(pair.value, pair.key?.range?.[1] ?? keyOffset);
      fields.set(key, { tree, keyOffset, pair, alias: isAlias(pair.value) });
    }
    for (const [key, field] of merged) if (!fields.has(key)) fields.set(key, field);
    const value: Record<string, unknown> = {};
    for (const [key, field] of fields) put(value, key, field.tree.value);
    const weight = weigh([...fields.values()].map((field) => field.tree));
    return { kind: 'map', node, offset, fields, merged, value, weight };
  }

  #keyText(key: Node | null, offset: number): string {
    // As written: 1.0 stays "1.0", as the author knows it.
    if (isScalar(key) && key.type === Scalar.PLAIN) return key.source ?? '';
    const tree = this.read(key, offset);
    if (tree.kind === 'leaf') return tree.value === null ? '' : String(tree.value);
    this.#fault(offset, 'has a key that is a list or a map; use plain text.');
    throw new Stop();
  }

  #merge(pair: Pair<Node, Node | null>, merged: Map<string, Field>): void {
    const tree = this.read(pair.value, pair.key.range?.[1] ?? 0);
    const sources = tree.kind === 'list' ? tree.items : [tree];
    for (const source of sources) {
      if (source.kind !== 'map') continue;
      // An inline map is counted again here, because merging copies its fields.
      this.#expand(source.weight, pair.key.range?.[0] ?? 0);
      for (const [key, field] of source.fields) {
        if (!merged.has(key)) merged.set(key, { ...field, pair: null, alias: true });
      }
    }
  }

  #resolve(node: Alias, offset: number): Tree {
    const anchor = this.#anchors.get(node.source);
    if (anchor?.tree == null) {
      const reason =
        anchor === undefined ? 'which has no anchor before it' : 'which is inside its own anchor';
      this.#fault(
        offset,
        `has the alias *${node.source.slice(0, 80)}, ${reason}; use the value itself.`,
        'has an alias (*) without a value. Write the value itself, in quotes.',
      );
      return leaf(node, null, offset);
    }
    if (this.aliases.length >= MOST_ALIASES) {
      this.#fault(offset, `has more than ${MOST_ALIASES} aliases; use the values themselves.`);
      throw new Stop();
    }
    this.aliases.push({ name: node.source, offset, anchorOffset: anchor.offset });
    this.#expand(anchor.tree.weight, offset);
    return anchor.tree;
  }

  #expand(weight: number, offset: number): void {
    this.#expanded += weight;
    if (this.#expanded <= MAX_EXPANDED) return;
    this.#fault(
      offset,
      'repeats more than 1 MiB of itself through aliases; use the values themselves.',
    );
    throw new Stop();
  }

  #fault(offset: number, message: string, plain = message): void {
    this.faults.push({ offset, message, plain });
    if (this.faults.length >= MAX_FAULTS) throw new Stop();
  }
}

function leaf(node: Node | null, value: unknown, offset: number): LeafTree {
  const weight = 1 + (typeof value === 'string' ? value.length : 0);
  return { kind: 'leaf', node, value, offset, weight };
}

function weigh(parts: readonly Tree[]): number {
  return parts.reduce((sum, part) => sum + part.weight, 1);
}

/** Whether a pair is `<<: *defaults`, `<<: [*a, *b]` or `<<: { … }`. */
function isMergeKey(pair: Pair<Node, Node | null>): boolean {
  const { key, value } = pair;
  const plain = isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<';
  return plain && (isAlias(value) || isMap(value) || isSeq(value));
}
