import type { Capability } from '@svc/records';
import type { FolderEntry } from '../folder.ts';

/** Requests of the service to a file helper. Each gets one answer with the same `id`, except `stop`. */
export type FileRequest =
  /** The first request. Answer: `FileHelperState`. */
  | { readonly op: 'open'; readonly cwd: string }
  /** Answer: `place`, with the bytes as body. */
  | { readonly op: 'read'; readonly path: string; readonly maxBytes: number }
  /** Body: the new content, then the expected current content of `instead` bytes. Answer: `Written`. */
  | {
      readonly op: 'write';
      readonly path: string;
      readonly runsAs: Capability['runsAs'];
      readonly instead: number | null;
    }
  /** Answer: the first `FileBatch`. */
  | { readonly op: 'visit'; readonly path: string; readonly skip: readonly string[] }
  /** The next batch of the visit with this id. */
  | { readonly op: 'more'; readonly visit: number }
  /** Ends a visit. */
  | { readonly op: 'leave'; readonly visit: number }
  /** The turn is stopped: nothing more is written. */
  | { readonly op: 'stop' };

/** The state of a file helper and its project folder. */
export interface FileHelperState {
  readonly uid: number;
  /** `closed`: its user has no access to the folder. */
  readonly folder: 'open' | 'missing' | 'closed';
}

/** A batch of visited entries. `cut` is null while there are more. */
export interface FileBatch {
  readonly entries: readonly Pick<FolderEntry, 'below' | 'place' | 'kind'>[];
  readonly cut: boolean | null;
}
