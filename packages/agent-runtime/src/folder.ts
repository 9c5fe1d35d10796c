import type { Result } from '@svc/core';
import type { FileRights } from './file-rights.ts';

/** Why a file operation did not happen. `refused`: it is not allowed. `failed`: an error occurred. */
export interface FolderFault {
  readonly kind: 'refused' | 'failed';
  /** One sentence. */
  readonly reason: string;
}

/** An entry found while visiting a folder. Links are not followed. */
export interface FolderEntry {
  /** Path relative to the visited folder, with `/`. */
  readonly below: string;
  /** Path relative to the project folder, with `/`. */
  readonly place: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes of a regular file; null if it is too large, missing or unreadable. */
  read(maxBytes: number): Promise<Buffer | null>;
}

/** The result of a write. */
export interface Written {
  readonly created: boolean;
  readonly place: string;
  /** Number of parent folders that were created for it. */
  readonly folders: number;
}

/** How a visit ended. `cut`: not everything was visited. */
export interface Visited {
  readonly cut: boolean;
}

/**
 * The project folder as the file tools see it. Paths are relative to it, or absolute and inside it. Links are followed
 * as long as they stay inside. Paths outside are refused without checking whether they exist.
 */
export interface Folder {
  read(
    path: string,
    maxBytes: number,
  ): Promise<Result<{ readonly bytes: Buffer; readonly place: string }, FolderFault>>;
  /** Writes a file atomically and creates missing folders. An existing file keeps its mode. */
  write(
    path: string,
    content: Uint8Array,
    options: FolderWrite,
  ): Promise<Result<Written, FolderFault>>;
  /** Calls `on` for everything below a path, folder by folder in name order, until it returns `stop`. */
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
  /** The expected current content; a different content is a fault. Absent: no check. */
  readonly instead?: Uint8Array;
}

/** How to visit. */
export interface FolderVisit {
  readonly signal: AbortSignal;
  /** Names of folders to skip. */
  readonly skip: ReadonlySet<string>;
}

/** Resolves paths in a project folder. */
export interface Places {
  /**
   * Returns why a path must not be used, or null if it leads to a folder, a regular file or an unused path inside.
   *
   * @param rights The write rights to check for a path that will be written; null for a path that will be read.
   */
  faultOf(path: string, rights: FileRights | null): Promise<FolderFault | null>;
  /** Bytes of a file inside; null if it is missing, too large or unreadable. */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
}
