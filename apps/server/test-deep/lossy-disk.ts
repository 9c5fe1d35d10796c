import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Effect } from './syscalls.ts';

/** What a power cut leaves of unsynced data: nothing, everything, or a random part. */
export type Leaves = 'nothing' | 'everything' | 'something';

type FileChange = { readonly at: number; readonly data: Buffer } | { readonly size: number };

type FolderChange = ReadonlyMap<string, Node | null>;

interface FileNode {
  bytes: Buffer;
  changes: FileChange[];
}

interface FolderNode {
  readonly entries: Map<string, Node>;
  changes: FolderChange[];
}

type Node = FileNode | FolderNode;

const SECTOR = 512;

/** A folder on a disk that, as POSIX allows, loses what was not synced: the content of files, and the names in folders. */
export class LossyDisk {
  readonly #root: string;
  readonly #top: FolderNode = { entries: new Map(), changes: [] };
  readonly #positions = new Map<string, number>();
  readonly #syncing = new Map<number, readonly unknown[]>();

  /** Starts with the content of a real folder, all of it durable. */
  constructor(root: string) {
    this.#root = root;
    load(root, this.#top);
  }

  /** Whether a path is on it. */
  holds(path: string): boolean {
    return path === this.#root || path.startsWith(`${this.#root}/`);
  }

  apply(effect: Effect): void {
    switch (effect.kind) {
      case 'open':
        this.#open(effect);
        break;
      case 'write':
        this.#write(effect);
        break;
      case 'truncate':
        this.#file(effect.path)?.changes.push({ size: effect.size });
        break;
      case 'folder':
        this.#name(effect.path, { entries: new Map(), changes: [] });
        break;
      case 'remove':
        this.#name(effect.path, null);
        break;
      case 'rename':
      case 'link':
        this.#move(effect);
        break;
      case 'syncing':
        this.#syncing.set(effect.id, [...(this.#find(effect.path)?.changes ?? [])]);
        break;
      case 'synced':
        this.#settle(effect.path, new Set(this.#syncing.get(effect.id)));
        break;
    }
  }

  /** Writes the state after a power cut at this moment to a new folder. */
  cut(into: string, leaves: Leaves, random: () => number): void {
    mkdirSync(into);
    writeFolder(this.#top, into, leaves, random);
  }

  #open({ path, empties }: { readonly path: string; readonly empties: boolean }): void {
    this.#positions.set(path, 0);
    const known = this.#file(path);
    if (known === undefined) this.#name(path, { bytes: Buffer.alloc(0), changes: [] });
    else if (empties) known.changes.push({ size: 0 });
  }

  #write({ path, at, data }: { path: string; at: number | null; data: Buffer }): void {
    const file = this.#file(path);
    if (file === undefined) return;
    const place = at ?? this.#positions.get(path) ?? 0;
    file.changes.push({ at: place, data });
    if (at === null) this.#positions.set(path, place + data.length);
  }

  #move({
    kind,
    from,
    to,
  }: {
    readonly kind: string;
    readonly from: string;
    readonly to: string;
  }): void {
    const node = this.#find(from);
    if (node === undefined) return;
    const gone =
      kind === 'rename' && dirname(from) === dirname(to) ? [[nameIn(from), null] as const] : [];
    this.#folder(to)?.changes.push(new Map<string, Node | null>([...gone, [nameIn(to), node]]));
    if (kind === 'rename' && gone.length === 0) this.#name(from, null);
  }

  #settle(path: string, done: ReadonlySet<unknown>): void {
    const node = this.#find(path);
    if (node === undefined) return;
    if ('entries' in node) {
      for (const change of node.changes) if (done.has(change)) rename(node.entries, change);
      node.changes = node.changes.filter((change) => !done.has(change));
    } else {
      node.bytes = changed(
        node.bytes,
        node.changes.filter((change) => done.has(change)),
      );
      node.changes = node.changes.filter((change) => !done.has(change));
    }
  }

  #name(path: string, node: Node | null): void {
    this.#folder(path)?.changes.push(new Map([[nameIn(path), node]]));
  }

  #folder(path: string): FolderNode | undefined {
    const node = this.#find(dirname(path));
    return node !== undefined && 'entries' in node ? node : undefined;
  }

  #file(path: string): FileNode | undefined {
    const node = this.#find(path);
    return node !== undefined && 'bytes' in node ? node : undefined;
  }

  #find(path: string): Node | undefined {
    if (!this.holds(path)) return undefined;
    let node: Node | undefined = this.#top;
    for (const name of path.slice(this.#root.length).split('/').filter(Boolean)) {
      if (node === undefined || !('entries' in node)) return undefined;
      node = entriesOf(node, node.changes.length).get(name);
    }
    return node;
  }
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function rename(entries: Map<string, Node>, change: FolderChange): void {
  for (const [name, node] of change) {
    if (node === null) entries.delete(name);
    else entries.set(name, node);
  }
}

function entriesOf({ entries, changes }: FolderNode, count: number): Map<string, Node> {
  const now = new Map(entries);
  for (const change of changes.slice(0, count)) rename(now, change);
  return now;
}

function changed(bytes: Buffer, changes: readonly FileChange[]): Buffer {
  let now = bytes;
  for (const change of changes) {
    const size =
      'size' in change ? change.size : Math.max(now.length, change.at + change.data.length);
    if (size !== now.length) {
      const resized = Buffer.alloc(size);
      now.copy(resized);
      now = resized;
    }
    if ('data' in change) change.data.copy(now, change.at);
  }
  return now;
}

// A disk writes sectors in any order; a file system preserves the order of names.
function sectorsOf(change: FileChange): FileChange[] {
  if ('size' in change) return [change];
  const { at, data } = change;
  const sectors: FileChange[] = [];
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + SECTOR - ((at + from) % SECTOR));
    sectors.push({ at: at + from, data: data.subarray(from, to) });
    from = to;
  }
  return sectors;
}

function writeFolder(folder: FolderNode, into: string, leaves: Leaves, random: () => number): void {
  const { length } = folder.changes;
  const count =
    leaves === 'nothing'
      ? 0
      : leaves === 'everything'
        ? length
        : Math.floor(random() * (length + 1));
  for (const [name, node] of entriesOf(folder, count)) {
    const place = join(into, name);
    if ('entries' in node) {
      mkdirSync(place);
      writeFolder(node, place, leaves, random);
    } else {
      writeFileSync(place, bytesAfter(node, leaves, random));
    }
  }
}

function bytesAfter({ bytes, changes }: FileNode, leaves: Leaves, random: () => number): Buffer {
  if (leaves === 'nothing') return bytes;
  if (leaves === 'everything') return changed(Buffer.from(bytes), changes);
  const share = random();
  return changed(
    Buffer.from(bytes),
    changes.flatMap(sectorsOf).filter(() => random() < share),
  );
}

function load(path: string, folder: FolderNode): void {
  for (const name of readdirSync(path)) {
    const place = join(path, name);
    if (statSync(place).isDirectory()) {
      const inner: FolderNode = { entries: new Map(), changes: [] };
      load(place, inner);
      folder.entries.set(name, inner);
    } else {
      folder.entries.set(name, { bytes: readFileSync(place), changes: [] });
    }
  }
}
