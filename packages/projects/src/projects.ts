import { join } from 'node:path';
import {
  type Checked,
  type Clock,
  createKeyedMutex,
  createTimeSlice,
  failure,
  invalid,
  type Logger,
  type Result,
} from '@svc/core';
import type { Slug, Source } from '@svc/records';
import type { ProjectRules } from '@svc/trigger-schema';
import { createFileLocks, type FileLocks } from './adapters/file-lock.ts';
import { isThere } from './adapters/file-mark.ts';
import type { WatchFolder } from './adapters/folder-watches.ts';
import { listPromptFiles, type PromptFile } from './adapters/prompt-listing.ts';
import { type LimitedWatch, type ProjectWatch, watchProjects } from './adapters/watch-projects.ts';
import { createCachedReader } from './cached-reader.ts';
import {
  type ClonedProject,
  type CloneOptions,
  createCloner,
  createCloneStaging,
  type GitOptions,
} from './cloner.ts';
import { type Confirmation, confirmFile } from './confirm-file.ts';
import { createFolder } from './create-folder.ts';
import { type Curated, createCurated } from './curated.ts';
import {
  type Change,
  type Changed,
  type EditPlace,
  type EditPreview,
  editFile,
  type FileGuard,
  previewEdit,
} from './edit-file.ts';
import type { CloneError, EditError } from './errors.ts';
import { entriesIn, folderOf, requireRoot } from './folders.ts';
import type { LastGood } from './last-good.ts';
import { createParseCache, type ParseCache } from './parse-cache.ts';
import { PROJECT_FILE, PROMPT_FOLDERS } from './paths.ts';
import { readPromptFile } from './prompt-file.ts';
import { readProjectText } from './read-project-file.ts';
import { createReader, type ProjectReader } from './reader.ts';
import { createSnapshots, fileMark, isLasting, type ProjectSnapshot } from './snapshots.ts';
import { sweepEdits } from './sweep-edits.ts';
import {
  type ClosableReader,
  createThreadedReader,
  type ThreadSettings,
} from './threaded-reader.ts';

/**
 * The project folders of one home. While the projects folder does not exist or cannot be read, calls fail with a
 * ProjectsError `unavailable`.
 */
export interface Projects {
  /** Rejects if the projects folder does not exist. */
  ping(): Promise<void>;
  /** Slugs of the folders that contain a `project.yaml`, sorted. */
  list(): Promise<readonly Slug[]>;
  /** Reads the current state of a project; null if it does not exist (also for an invalid slug). */
  snapshot(slug: string): Promise<ProjectSnapshot | null>;
  /**
   * Identifies the state of the file of a project: while the mark is the same, so is the content. Null if the file
   * does not exist, and if no mark is reliable: for a file that was changed a moment ago, and for a folder that is
   * a link.
   */
  mark(slug: Slug): string | null;
  /** Reads the current text of a project file; null if there is none that can be read. */
  text(slug: Slug): Promise<string | null>;
  /** Last write of `project.yaml`, in milliseconds since the epoch; null if it does not exist. */
  writtenAt(slug: string): number | null;
  /**
   * Changes `project.yaml`: one edit at a time across processes, written atomically, started again if another
   * program changed the file in between.
   */
  edit<T, E>(slug: string, change: Change<T, E>): Promise<Result<Changed<T>, EditError | E>>;
  /** Returns the result that `edit` would have now; writes nothing. */
  previewEdit<T, E>(
    slug: string,
    change: Change<T, E>,
  ): Promise<Result<EditPreview<T>, EditError | E>>;
  /**
   * Puts an unconfirmed `project.yaml` in effect if its text is the expected one. Otherwise the result is only what
   * differs. Fails with `conflict` if the file is not unconfirmed.
   */
  confirm(
    slug: string,
    isExpected: (text: string) => boolean,
  ): Promise<Result<Confirmation, EditError>>;
  /** Creates a project folder with this `project.yaml`; false if the slug is taken. */
  create(slug: Slug, text: string): Promise<boolean>;
  /**
   * Creates a project folder by cloning `repo` (see `checkRepoAddress`). It appears under its slug when it is
   * complete. A `project.yaml` of the repository is kept, except for what `disabled` disables and resets. If the
   * repository has none, `text` is written; with null the clone is refused.
   */
  clone(
    slug: Slug,
    repo: string,
    text: string | null,
    options: CloneOptions,
  ): Promise<Result<ClonedProject, CloneError>>;
  /** Lists the prompt files that entries may use, by folder and name: at most 1000 of each. Links are omitted. */
  listPrompts(slug: string): Promise<readonly PromptFile[]>;
  /**
   * Reads the text of a prompt file, which must not be blank and has at most 256 KiB. Issues are about the file:
   * their path is empty.
   * @throws ProjectsError `unavailable` if the disk fails or no more files may be opened
   */
  readPrompt(slug: string, source: Source, file: string): Promise<Checked<string>>;
  /** The files that a curator maintains. */
  readonly curated: Curated;
  /** Removes what crashes left: locks, incomplete edits and clones. Call it at start. */
  sweep(): Promise<void>;
  /**
   * Calls back with the slug of each project whose file or folder changes on disk. Returns a function that stops
   * watching.
   */
  watch(changed: (slug: Slug) => void): Promise<() => Promise<void>>;
  /** The system limit that keeps projects from being watched; null while all are watched. */
  readonly limitedWatch: LimitedWatch | null;
  /** Terminates the reader threads; large files are not read any more. */
  close(): Promise<void>;
}

/** Options of the project folders. */
export interface ProjectsOptions {
  /** The folder that contains one folder per project; must exist. */
  readonly root: string;
  /** Validation rules of entries. */
  readonly validation: ProjectRules;
  /**
   * Stores the last version of each file that parsed, so that a file that is broken when the process starts does
   * not disarm its project. Default: none.
   */
  readonly lastGood?: LastGood;
  /** How a folder is watched. Default: `watch` of `node:fs`. */
  readonly watchFolder?: WatchFolder;
  /** Whether other machines write there too, so that files are polled. Default: false. */
  readonly isShared?: boolean;
  /** Threads for large files, so that they do not delay others. Default: no threads. */
  readonly threads?: ThreadSettings;
  /** Called each time a text is parsed as YAML, for metrics. */
  readonly onRead?: () => void;
  /** How repositories are cloned. Default: with an empty environment. */
  readonly git?: GitOptions;
  /** Keeps agents from changing a `project.yaml`. Default: nothing does, and every content is trusted. */
  readonly guard?: FileGuard;
  /** How edits exclude other processes. Default: `createFileLocks`. */
  readonly locks?: FileLocks;
}

/** Opens the project folders under `root`. */
export function createProjects(
  deps: { readonly clock: Clock; readonly logger: Logger },
  options: ProjectsOptions,
): Projects {
  const { root, git = { env: {} }, guard = UNGUARDED } = options;
  const reader = readerOf(deps, options);
  const parsed = createParseCache(deps.logger, reader, options.lastGood, (slug, text) =>
    guard.isTrusted(join(root, slug, PROJECT_FILE), Buffer.from(text)),
  );
  const lockFile = (slug: Slug): string => join(root, '.locks', `${slug}.lock`);
  // The lock file excludes other processes. Within this process a mutex is cheaper than waiting for the lock.
  const { run: inTurn } = createKeyedMutex();
  const locks = options.locks ?? createFileLocks(deps);
  const staging = createCloneStaging(deps, root, git);
  const clone = createCloner(deps, { root, git, staging, locks, lockFile, inTurn, reader });

  let watching: ProjectWatch | null = null;
  const { lastGood } = options;
  const placeOf = (slug: Slug, folder: string): EditPlace =>
    editPlace({ slug, folder, reader, parsed, guard, lockFile: lockFile(slug), lastGood });

  const snapshot = createSnapshots(deps.clock, root, parsed);
  return {
    ping: () => requireRoot(root),
    snapshot,
    mark(slug) {
      const mark = fileMark(root, slug);
      return mark !== null && isLasting(mark, deps.clock.now()) ? mark.text : null;
    },
    text: (slug) => textOf(root, slug),
    writtenAt: (slug) => fileMark(root, slug)?.changedAt ?? null,
    list: () => listProjects(deps.clock, root),
    async edit(slug, change) {
      const folder = await folderOf(root, slug);
      if (folder === null) return failure(NO_PROJECT);
      return inTurn(slug, () => editFile(locks, placeOf(slug, folder), change));
    },
    async previewEdit(slug, change) {
      const folder = await folderOf(root, slug);
      return folder === null ? failure(NO_PROJECT) : previewEdit(placeOf(slug, folder), change);
    },
    confirm: (slug, isExpected) =>
      inTurn(slug, async () => {
        const folder = await folderOf(root, slug);
        return folder === null
          ? failure(NO_PROJECT)
          : confirmFile({ slug, folder, reader, parsed, guard }, isExpected);
      }),
    curated: createCurated({ root, locks, lockFile, inTurn }),
    sweep: () => sweepEdits(deps.logger, { root, locks, lockFile }).then(() => staging.sweep()),
    create: (slug, text) =>
      inTurn(slug, () => createFolder(locks, root, lockFile(slug), { slug, text })),
    clone: (slug, repo, text, options) => clone({ ...options, slug, repo, text }),
    async listPrompts(slug) {
      const folder = await folderOf(root, slug);
      return folder === null ? [] : listPromptFiles(folder);
    },
    async readPrompt(slug, source, file) {
      const folder = await folderOf(root, slug);
      return folder === null
        ? invalid({ path: '', message: 'belongs to a project that does not exist.' })
        : readPromptFile(folder, PROMPT_FOLDERS[source], file);
    },
    async watch(changed) {
      const { watchFolder, isShared: isSwept } = options;
      watching = await watchProjects(root, deps, changed, { watchFolder, isSwept });
      return () => watching?.close() ?? Promise.resolve();
    },
    get limitedWatch() {
      return watching?.limited ?? null;
    },
    close: () => reader.close(),
  };
}

interface EditPlaceParts extends Pick<EditPlace, 'folder' | 'lockFile' | 'guard'> {
  readonly slug: Slug;
  readonly reader: ProjectReader;
  readonly parsed: ParseCache;
  readonly lastGood: LastGood | undefined;
}

function editPlace({ slug, reader, parsed, lastGood, ...parts }: EditPlaceParts): EditPlace {
  return {
    ...parts,
    read: () => readProjectText(parts.folder),
    parse: (text) => parsed.parse(slug, text),
    apply: (text, edit) => reader.edit(text, edit, slug),
    announce: async (text) => lastGood?.announce?.(slug, text),
    written: (now) => parsed.learn(slug, now),
  };
}

async function listProjects(clock: Clock, root: string): Promise<readonly Slug[]> {
  const timeSlice = createTimeSlice(clock);
  const present: Slug[] = [];
  for (const { slug, isLink } of await entriesIn(root)) {
    const folder = isLink ? await folderOf(root, slug) : join(root, slug);
    if (folder !== null && isThere(join(folder, PROJECT_FILE))) present.push(slug);
    await timeSlice.yieldToEventLoop();
  }
  return present;
}

async function textOf(root: string, slug: Slug): Promise<string | null> {
  const folder = await folderOf(root, slug);
  const read = folder === null ? null : await readProjectText(folder);
  return read?.ok === true ? read.text : null;
}

const UNGUARDED: FileGuard = {
  replace: (_file, work) => work(),
  isTrusted: async () => true,
  confirm: async () => {},
};

const NO_PROJECT: EditError = {
  code: 'not_found',
  message: 'There is no such project.',
  issues: [],
};

function readerOf(
  deps: { readonly clock: Clock; readonly logger: Logger },
  { validation: rules, onRead, threads }: ProjectsOptions,
): ClosableReader {
  const reader = createReader(rules, { onRead });
  if (threads === undefined) return { ...createCachedReader(reader), close: async () => {} };
  const threaded = createThreadedReader(deps, reader, { ...threads, rules, onRead });
  return { ...createCachedReader(threaded), close: () => threaded.close() };
}
