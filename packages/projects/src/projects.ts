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
import { listPromptFiles, type PromptFile } from './adapters/prompt-listing.ts';
import { type LimitedWatch, type ProjectWatch, watchProjects } from './adapters/watcher.ts';
import type { WatchFolder } from './adapters/watching.ts';
import { createCachedReader } from './cached-reader.ts';
import {
  type ClonedProject,
  type CloneOptions,
  createCloner,
  createCloneStaging,
  type GitOptions,
} from './cloning.ts';
import { createFolder } from './creating.ts';
import { type Curated, createCurated } from './curated.ts';
import {
  type Change,
  type Changed,
  type EditPlace,
  editFile,
  type Foreseen,
  foreseeEdit,
} from './editing.ts';
import type { CloneError, EditError } from './errors.ts';
import { entriesIn, folderOf, insistOnRoot } from './folders.ts';
import { createParseMemory, type KeptFiles, type LastGood } from './parse-memory.ts';
import { PROJECT_FILE, PROMPT_FOLDERS } from './paths.ts';
import { readPromptFile } from './prompt-file.ts';
import { createReader } from './reader.ts';
import {
  type ClosableReader,
  createThreadedReader,
  type ThreadSettings,
} from './reader-threads.ts';
import { readProjectText } from './reading.ts';
import { createSnapshots, fileMark, isLasting, type ProjectSnapshot } from './snapshots.ts';
import { sweepEdits } from './sweeping.ts';

/**
 * The project folders of one home. While the folder that holds them is not there, or cannot be read, calls fail with a
 * ProjectsError `unavailable` that says so.
 */
export interface Projects {
  /** Rejects when the folder of projects is not there. */
  ping(): Promise<void>;
  /** Slugs of the folders that hold a `project.yaml`, sorted. */
  list(): Promise<readonly Slug[]>;
  /** The project as its file is at this moment; null when there is none (also for an ill-formed slug). */
  snapshot(slug: string): Promise<ProjectSnapshot | null>;
  /**
   * What the file of a project looks like on the disk: as long as that is the same, so is what stands in it. Null where
   * there is none, and where nothing follows from it: for a file that was changed a moment ago, and for a folder that is a
   * link.
   */
  mark(slug: Slug): string | null;
  /** The text of a project file as it is at this moment; null where there is none that can be read. */
  text(slug: Slug): Promise<string | null>;
  /** When `project.yaml` was last written, in milliseconds since the epoch; null where there is none. */
  writtenAt(slug: string): number | null;
  /**
   * Changes `project.yaml`: one edit at a time, across processes; written atomically; begun again when somebody else
   * changed the file in between.
   */
  edit<T, E>(slug: string, change: Change<T, E>): Promise<Result<Changed<T>, EditError | E>>;
  /** What `edit` would make of the file as it is now; nothing is written. */
  foresee<T, E>(slug: string, change: Change<T, E>): Promise<Result<Foreseen<T>, EditError | E>>;
  /** Makes a new project folder with this `project.yaml`; false when the slug is taken. */
  create(slug: Slug, text: string): Promise<boolean>;
  /**
   * Makes a project folder by cloning `repo` (see `checkRepoAddress`), visible under its slug once it is complete. A
   * `project.yaml` of the repository is kept as it is, but for what `disabled` disables and takes back; `text` becomes one when the
   * repository brings none, and null insists that it does.
   */
  clone(
    slug: Slug,
    repo: string,
    text: string | null,
    options: CloneOptions,
  ): Promise<Result<ClonedProject, CloneError>>;
  /** The prompt files that entries may name, by folder and name; at most 1000 of each. Links are left out. */
  listPrompts(slug: string): Promise<readonly PromptFile[]>;
  /**
   * A prompt file's text, read afresh; at most 256 KiB and not blank. Issues are about the file: their path is empty.
   *
   * @throws ProjectsError `unavailable` for a fault of the disk, or when no more files may be opened
   */
  readPrompt(slug: string, source: Source, file: string): Promise<Checked<string>>;
  /** The files that a curator keeps. */
  readonly curated: Curated;
  /** Removes what crashes left behind: locks, half-made edits and clones; to be called at start. */
  sweep(): Promise<void>;
  /** Calls back with the slug of each project whose file or folder changes on disk. Returns how to stop. */
  watch(changed: (slug: Slug) => void): Promise<() => Promise<void>>;
  /** Which limit of the system keeps projects from being watched; null while all of them are. */
  readonly limitedWatch: LimitedWatch | null;
  /** Ends the threads that it has; large files are not read any more. */
  close(): Promise<void>;
}

/** Settings of the project folders. */
export interface ProjectsOptions {
  /** The folder that holds one folder per project; must exist. */
  readonly root: string;
  /** How entries are validated. */
  readonly validation: ProjectRules;
  /**
   * Where the last version of each file that parsed is remembered, so that a file that is broken when the process starts
   * does not disarm its project. Default: not remembered.
   */
  readonly lastGood?: LastGood;
  /** What files came to in an earlier life. Default: nothing is known of it. */
  readonly keptFiles?: KeptFiles;
  /** How a folder is watched. Default: `watch` of `node:fs`. */
  readonly watchFolder?: WatchFolder;
  /** Whether other machines write there too, so that files are looked at again and again. Default: false. */
  readonly isShared?: boolean;
  /** Threads that large files are read in, so that none holds up the others. Default: every file is read where it is asked for. */
  readonly threads?: ThreadSettings;
  /** Called each time a text is read as YAML, for figures. */
  readonly onRead?: () => void;
  /** How repositories are cloned. Default: with an empty environment. */
  readonly git?: GitOptions;
  /** How edits exclude other processes. Default: `createFileLocks`. */
  readonly locks?: FileLocks;
}

/** Opens the project folders under `root`. */
export function createProjects(
  deps: { readonly clock: Clock; readonly logger: Logger },
  options: ProjectsOptions,
): Projects {
  const { root, git = { env: {} } } = options;
  const reader = readerOf(deps, options);
  const parsed = createParseMemory(deps.logger, reader, options.lastGood, options.keptFiles);
  const lockFile = (slug: Slug): string => join(root, '.locks', `${slug}.lock`);
  // The lock file excludes other processes; within this one a line is cheaper than waiting for the lock.
  const { run: inTurn } = createKeyedMutex();
  const locks = options.locks ?? createFileLocks(deps);
  const staging = createCloneStaging(deps, root, git);
  const clone = createCloner(deps, { root, git, staging, locks, lockFile, inTurn, reader });

  let watching: ProjectWatch | null = null;
  const placeOf = (slug: Slug, folder: string): EditPlace => ({
    folder,
    lockFile: lockFile(slug),
    read: () => readProjectText(folder),
    parse: (text) => parsed.parse(slug, text),
    apply: (text, edit) => reader.edit(text, edit, slug),
    written: (now) => parsed.learn(slug, now),
  });

  const snapshot = createSnapshots(deps.clock, root, parsed);
  return {
    ping: () => insistOnRoot(root),
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
    async foresee(slug, change) {
      const folder = await folderOf(root, slug);
      return folder === null ? failure(NO_PROJECT) : foreseeEdit(placeOf(slug, folder), change);
    },
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
