import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { failure, type Result, success } from '@svc/core';
import type { FolderEntry, FolderFault, FolderVisit, Visited } from '../folder.ts';
import type { Directory } from './directory.ts';
import { readIn } from './folder-read.ts';
import { failed, type ResolvedPath } from './resolved-path.ts';

const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 100;

type Kind = FolderEntry['kind'];
type OnEntry = (entry: FolderEntry) => Promise<'go' | 'stop'>;

interface Level {
  readonly directory: Directory;
  readonly below: readonly string[];
  readonly entries: readonly { readonly name: string; readonly kind: Kind }[];
  next: number;
}

interface Visit {
  readonly options: FolderVisit;
  readonly names: readonly string[];
  readonly on: OnEntry;
  /** Number of entries that may still be listed. */
  left: number;
  cut: boolean;
}

/** Visits everything below a resolved path, or the file at that path. */
export async function visitPlace(
  resolved: ResolvedPath,
  path: string,
  options: FolderVisit,
  on: OnEntry,
): Promise<Result<Visited, FolderFault>> {
  const directory = resolved.chain.at(-1);
  const [name, ...below] = resolved.rest;
  const missing = name !== undefined && (resolved.stat === null || below.length > 0);
  if (directory === undefined || missing) return failure(failed(`There is no ${path}.`));
  const visit: Visit = { options, names: resolved.names, on, left: MAX_ENTRIES, cut: false };
  if (name !== undefined) {
    const kind = resolved.stat?.isFile() ? 'file' : 'other';
    await on(entryOf(visit, directory, [name], kind));
    return success({ cut: false });
  }
  await visitLevels(visit, await levelOf(visit, directory, []));
  return success({ cut: visit.cut });
}

async function visitLevels(visit: Visit, first: Level): Promise<void> {
  const levels = [first];
  try {
    while (levels.length > 0 && !visit.options.signal.aborted) {
      const level = levels.at(-1) ?? first;
      const found = level.entries[level.next];
      level.next += 1;
      if (found === undefined) leave(levels);
      else if ((await look(visit, levels, level, found)) === 'stop') return;
    }
  } finally {
    for (const level of levels.slice(1)) level.directory.close();
  }
}

// The caller of the visit closes the folder of the first level.
function leave(levels: Level[]): void {
  const left = levels.pop();
  if (levels.length > 0) left?.directory.close();
}

async function look(
  visit: Visit,
  levels: Level[],
  level: Level,
  found: Level['entries'][number],
): Promise<'go' | 'stop'> {
  const below = [...level.below, found.name];
  const answer = await visit.on(entryOf(visit, level.directory, below, found.kind));
  if (answer === 'stop' || found.kind !== 'folder') return answer;
  const inner = await inside(visit, level, found.name, below);
  if (inner !== null) levels.push(inner);
  return 'go';
}

async function inside(
  visit: Visit,
  level: Level,
  name: string,
  below: readonly string[],
): Promise<Level | null> {
  if (visit.options.skip.has(name)) return null;
  if (below.length > MAX_DEPTH || visit.left <= 0) {
    visit.cut = true;
    return null;
  }
  // A folder that is missing, inaccessible or a link by now is skipped.
  const directory = await level.directory.child(name).catch(() => null);
  if (directory === null) return null;
  try {
    return await levelOf(visit, directory, below);
  } catch {
    directory.close();
    return null;
  }
}

async function levelOf(
  visit: Visit,
  directory: Directory,
  below: readonly string[],
): Promise<Level> {
  const entries: { name: string; kind: Kind }[] = [];
  for await (const found of await opendir(directory.listing, { bufferSize: 256 })) {
    if (visit.left <= 0) {
      visit.cut = true;
      break;
    }
    visit.left -= 1;
    entries.push({ name: found.name, kind: await kindOf(directory, found) });
  }
  // A folder that was moved out of the project in the meantime is skipped.
  if (directory.place() === null) entries.length = 0;
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { directory, below, entries, next: 0 };
}

async function kindOf(directory: Directory, found: Dirent): Promise<Kind> {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return 'link';
  // Some file systems do not return the entry type in listings.
  const stat = await lstat(directory.at(found.name)).catch(() => null);
  if (stat?.isFile()) return 'file';
  if (stat?.isDirectory()) return 'folder';
  return stat?.isSymbolicLink() ? 'link' : 'other';
}

function entryOf(
  visit: Visit,
  directory: Directory,
  below: readonly string[],
  kind: Kind,
): FolderEntry {
  const name = below.at(-1) ?? '';
  return {
    below: below.join('/'),
    place: [...visit.names, ...below].join('/'),
    kind,
    async read(maxBytes) {
      if (kind !== 'file') return null;
      // Missing or unreadable files do not fail a search.
      const bytes = await readIn(directory, name, maxBytes).catch(() => null);
      return Buffer.isBuffer(bytes) ? bytes : null;
    },
  };
}
