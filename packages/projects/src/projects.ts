import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Checked,
  type Clock,
  failure,
  type Issue,
  invalid,
  type Logger,
  messageOf,
  type Result,
  success,
} from '@svc/core';
import type { Slug, Source } from '@svc/records';
import { isSlug, type ProjectFile, type ProjectRules, parseProject } from '@svc/trigger-schema';
import { stageFile } from './adapters/atomic-write.ts';
import { takeLock } from './adapters/file-lock.ts';
import { markOf } from './adapters/file-mark.ts';
import { readInside } from './adapters/safe-read.ts';
import { watchProjects } from './adapters/watcher.ts';
import { type EditPlace, editFile, type TextChange } from './editing.ts';
import type { EditError } from './errors.ts';
import { decodeUtf8, PROJECT_FILE, PROMPT_FOLDERS } from './paths.ts';
import { type ProjectText, readProjectText } from './reading.ts';

/** A project as its file says it is now. */
export interface ProjectSnapshot {
  readonly slug: Slug;
  /** Real path of the project folder. */
  readonly folder: string;
  /** Text of `project.yaml`; null while it cannot be read. */
  readonly text: string | null;
  /** What counts: the file as it is, or, while it does not parse, the last version that did; null if there was none. */
  readonly file: ProjectFile | null;
  /** Faults that keep the file from being parsed; empty while all is well. */
  readonly faults: readonly Issue[];
}

/** The project folders of one home. */
export interface Projects {
  /** Slugs of the folders that hold a `project.yaml`, sorted. */
  list(): Promise<readonly Slug[]>;
  /** The project as its file is at this moment; null when there is none (also for an ill-formed slug). */
  snapshot(slug: string): Promise<ProjectSnapshot | null>;
  /**
   * Changes `project.yaml`: one edit at a time, across processes; written atomically; begun again when somebody else
   * changed the file in between.
   */
  edit(slug: string, change: TextChange): Promise<Result<{ text: string }, EditError>>;
  /** Makes a new project folder with this `project.yaml`; false when the slug is taken. */
  create(slug: Slug, text: string): Promise<boolean>;
  /** A prompt file's text, read afresh; at most 256 KiB and not blank. */
  readPrompt(slug: string, source: Source, file: string): Promise<Checked<string>>;
  /** Calls back with the slug of each project whose file or folder changes on disk. Returns how to stop. */
  watch(changed: (slug: Slug) => void): Promise<() => Promise<void>>;
}

/** Remembers the last good text of each project file. */
export interface LastGood {
  load(slug: Slug): Promise<string | null>;
  save(slug: Slug, text: string): Promise<void>;
  forget(slug: Slug): Promise<void>;
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
}

const MAX_PROMPT_BYTES = 256 * 1024;

/** Opens the project folders under `root`. */
export function createProjects(
  deps: { readonly clock: Clock; readonly logger: Logger },
  options: ProjectsOptions,
): Projects {
  const { root } = options;
  const parsed = createParseMemory(options.validation, options.lastGood ?? FORGETFUL, deps.logger);
  const turns = new Map<Slug, Promise<unknown>>();
  const lockFile = (slug: Slug): string => join(root, '.locks', `${slug}.lock`);
  const folderOf = async (slug: string): Promise<string | null> =>
    isSlug(slug) ? realpath(join(root, slug)).catch(() => null) : null;

  // The lock file excludes other processes; within this one a line is cheaper than waiting for the lock.
  const inTurn = <T>(slug: Slug, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(slug) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => {});
    turns.set(slug, settled);
    void settled.then(() => {
      if (turns.get(slug) === settled) turns.delete(slug);
    });
    return mine;
  };

  const readSnapshot = async (slug: string): Promise<ProjectSnapshot | null> => {
    const folder = await folderOf(slug);
    const read = folder === null ? null : await readProjectText(folder);
    if (folder === null || read === null) {
      await parsed.forget(slug);
      return null;
    }
    const now = await parsed.of(slug, read);
    return { slug, folder, text: read.ok ? read.text : null, ...now };
  };
  const settled = new Map<Slug, { mark: string; snapshot: ProjectSnapshot }>();
  const snapshot = async (slug: string): Promise<ProjectSnapshot | null> => {
    const mark = isSlug(slug) ? await markOf(join(root, slug, PROJECT_FILE)) : null;
    const known = settled.get(slug);
    if (mark !== null && known?.mark === mark.text) return known.snapshot;
    const startedAt = deps.clock.now();
    const now = await readSnapshot(slug);
    settled.delete(slug);
    const isOld = mark !== null && startedAt - mark.changedAt > SETTLED_MS;
    if (isOld && now !== null) settled.set(slug, { mark: mark.text, snapshot: now });
    return now;
  };
  return {
    snapshot,
    async list() {
      const slugs = (await readdir(root)).filter(isSlug).sort();
      const present = await Promise.all(
        slugs.map(async (slug) => hasProject(await folderOf(slug))),
      );
      return slugs.filter((_, i) => present[i]);
    },
    async edit(slug, change) {
      const folder = await folderOf(slug);
      if (folder === null) return failure(NO_PROJECT);
      const place: EditPlace = {
        folder,
        lockFile: lockFile(slug),
        read: () => readProjectText(folder),
        faultsOf: (text) => parsed.faultsOf(slug, text),
      };
      return inTurn(slug, () => editFile(deps.clock, place, change));
    },
    create: (slug, text) =>
      inTurn(slug, () => createFolder(deps.clock, root, lockFile(slug), { slug, text })),
    async readPrompt(slug, source, file) {
      const folder = await folderOf(slug);
      return folder === null
        ? invalid({ path: 'run.promptFile', message: NO_PROJECT.message })
        : readPromptFile(folder, PROMPT_FOLDERS[source], file);
    },
    watch: (changed) => watchProjects(root, deps, changed),
  };
}

// Two changes in quick succession can leave the same mark; one this long ago has no like on any file system.
const SETTLED_MS = 3000;

const NO_PROJECT: EditError = {
  code: 'not_found',
  message: 'There is no such project.',
  issues: [],
};

type Parsed = Pick<ProjectSnapshot, 'file' | 'faults'>;

const FORGETFUL: LastGood = {
  load: async () => null,
  save: async () => {},
  forget: async () => {},
};

interface Remembered extends Parsed {
  readonly text: string | null;
}

// Parsing costs far more than reading, and most reads find the text they found before.
function createParseMemory(validation: ProjectRules, lastGood: LastGood, logger: Logger) {
  const memory = new Map<Slug, Remembered>();
  const recall = async (slug: Slug): Promise<ProjectFile | null> => {
    const known = memory.get(slug);
    if (known !== undefined) return known.file;
    const text = await lastGood.load(slug).catch(() => null);
    const parsed = text === null ? null : parseProject(text, validation);
    return parsed?.ok === true ? parsed.value : null;
  };
  const remember = async (slug: Slug, text: string, file: ProjectFile): Promise<Parsed> => {
    const isNew = memory.get(slug)?.text !== text;
    memory.set(slug, { text, file, faults: [] });
    if (isNew) {
      await lastGood.save(slug, text).catch((error: unknown) => {
        logger.warn(
          { project: slug, error: messageOf(error) },
          'a good version was not remembered',
        );
      });
    }
    return { file, faults: [] };
  };
  return {
    async forget(slug: string): Promise<void> {
      // Another project of that name, later on, is another project.
      if (memory.delete(slug)) await lastGood.forget(slug).catch(() => {});
    },
    faultsOf(slug: Slug, text: string): Parsed['faults'] {
      const known = memory.get(slug);
      if (known?.text === text) return known.faults;
      const now = parseProject(text, validation);
      return now.ok ? [] : now.issues;
    },
    async of(slug: Slug, read: ProjectText): Promise<Parsed> {
      const known = memory.get(slug);
      if (read.ok && known?.text === read.text) return known;
      const now = read.ok ? parseProject(read.text, validation) : read;
      if (read.ok && now.ok && 'value' in now) return remember(slug, read.text, now.value);
      const file = await recall(slug);
      const faults = now.ok ? [] : now.issues;
      memory.set(slug, { text: read.ok ? read.text : null, file, faults });
      return { file, faults };
    },
  };
}

async function hasProject(folder: string | null): Promise<boolean> {
  if (folder === null) return false;
  return (await readProjectText(folder).catch(() => null)) !== null;
}

async function createFolder(
  clock: Clock,
  root: string,
  lockFile: string,
  project: { slug: Slug; text: string },
): Promise<boolean> {
  const lock = await takeLock(clock, lockFile);
  const folder = join(root, project.slug);
  try {
    // Not recursive on purpose: an existing folder, even an empty one, is somebody's.
    const made = await mkdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (!made) return false;
    const staged = await stageFile(join(folder, PROJECT_FILE), project.text, 0o644);
    await staged.commit(() => true);
    return true;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

async function readPromptFile(
  folder: string,
  shown: string,
  file: string,
): Promise<Checked<string>> {
  const label = `${shown}/${file}`;
  const issue = (message: string): Checked<string> => invalid({ path: 'run.promptFile', message });
  const parts = file.split('/');
  const safe =
    file.endsWith('.md') &&
    !/[\\\0]/.test(file) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!safe) return issue(`${JSON.stringify(file)} is not the name of a .md file below ${shown}.`);
  const read = await readInside({
    file: join(folder, shown, file),
    within: folder,
    maxBytes: MAX_PROMPT_BYTES,
    label,
  }).catch(() => null);
  if (read === null) return issue(`The prompt file ${label} does not exist.`);
  if (!read.ok) return issue(read.issues.map((one) => one.message).join(' '));
  const text = decodeUtf8(read.value.bytes, label);
  if (!text.ok) return issue(text.issues.map((one) => one.message).join(' '));
  return text.value.trim() === ''
    ? issue(`The prompt file ${label} is empty.`)
    : success(text.value);
}
