import type { Result } from '@svc/core';
import type { FileRights } from './file-rights.ts';

/** Why a file operation did not happen. `refused`: the fence stopped it; `failed`: it could not be done. */
export interface FolderFault {
  readonly kind: 'refused' | 'failed';
  /** One sentence. */
  readonly reason: string;
}

/** What is found below a place, links not followed. */
export interface FolderEntry {
  /** Path below the place that was asked for, with `/`. */
  readonly below: string;
  /** Path below the project folder, with `/`. */
  readonly place: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes of a regular file; null when it is larger, gone, or not readable. */
  read(maxBytes: number): Promise<Buffer | null>;
}

/** What a write did. */
export interface Written {
  readonly created: boolean;
  readonly place: string;
  /** How many missing folders were made for it. */
  readonly folders: number;
}

/** How a visit ended: `cut` when not everything was looked at. */
export interface Visited {
  readonly cut: boolean;
}

/**
 * The project folder as the file tools see it. Paths are relative to it, or absolute and inside it; links are
 * followed as long as they stay inside. Whatever is outside is refused without looking whether it exists.
 */
export interface Folder {
  read(
    path: string,
    maxBytes: number,
  ): Promise<Result<{ readonly bytes: Buffer; readonly place: string }, FolderFault>>;
  /** Writes a whole file or nothing, making missing folders; a file that exists keeps its mode. */
  write(
    path: string,
    content: Uint8Array,
    options: FolderWrite,
  ): Promise<Result<Written, FolderFault>>;
  /** Calls `on` for everything below a path, folder by folder in the order of names, until it says `stop`. */
  visit(
    path: string,
    options: FolderVisit,
    on: (entry: FolderEntry) => Promise<'go' | 'stop'>,
  ): Promise<Result<Visited, FolderFault>>;
  close(): Promise<void>;
}

/** How to write. */
export interface FolderWrite {
  readonly rights: FileRights;
  readonly signal: AbortSignal;
  /** What the file must still hold; anything else is a fault. Absent: whatever. */
  readonly instead?: Uint8Array;
}

/** How to visit. */
export interface FolderVisit {
  readonly signal: AbortSignal;
  /** Names of folders that are not entered. */
  readonly skip: ReadonlySet<string>;
}

/** Where the paths of a project folder lead. */
export interface Places {
  /**
   * Why a path must not be used; null where it leads to a folder, a regular file or a free place inside.
   *
   * @param rights What may be written there, for a path that is to be written; null for one that is read.
   */
  faultOf(path: string, rights: FileRights | null): Promise<FolderFault | null>;
  /** Bytes of a file inside; null where it is missing, larger or not to be read. */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
}
