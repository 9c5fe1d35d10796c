import type { Capability } from '@svc/records';
import type { FolderEntry } from '../folder.ts';

/** What the service asks of a file helper; each has one answer with the same `id`, but for `stop`. */
export type FileRequest =
  /** The first one. Answer: `FileHelperState`. */
  | { readonly op: 'open'; readonly cwd: string }
  /** Answer: `place`, and the bytes as body. */
  | { readonly op: 'read'; readonly path: string; readonly maxBytes: number }
  /** Body: the content, then what the file must still hold, of `instead` bytes. Answer: `Written`. */
  | {
      readonly op: 'write';
      readonly path: string;
      readonly runsAs: Capability['runsAs'];
      readonly instead: number | null;
    }
  /** Answer: the first `FileBatch`. */
  | { readonly op: 'visit'; readonly path: string; readonly skip: readonly string[] }
  /** The next batch of the visit that has this id. */
  | { readonly op: 'more'; readonly visit: number }
  /** Ends a visit. */
  | { readonly op: 'leave'; readonly visit: number }
  /** The turn is stopped: nothing more is written. */
  | { readonly op: 'stop' };

/** How a file helper found itself and the project folder. */
export interface FileHelperState {
  readonly uid: number;
  /** `closed`: its user may not enter the folder. */
  readonly folder: 'open' | 'missing' | 'closed';
}

/** A part of what a visit found; `cut` is null while there is more. */
export interface FileBatch {
  readonly entries: readonly Pick<FolderEntry, 'below' | 'place' | 'kind'>[];
  readonly cut: boolean | null;
}
