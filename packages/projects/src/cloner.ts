import { lstatSync, renameSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Clock,
  failure,
  type Issue,
  type Logger,
  messageOf,
  type Result,
  sentenceOf,
  success,
} from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug, type ProjectFile, type ProjectSettings } from '@svc/trigger-schema';
import { stageFile, syncFolder } from './adapters/atomic-write.ts';
import type { FileLocks } from './adapters/file-lock.ts';
import { cloneWithGit, type GitOutcome } from './adapters/git-clone.ts';
import { createStagingArea, type StagingArea } from './adapters/staging-area.ts';
import type { CloneError } from './errors.ts';
import { requireRoot } from './folders.ts';
import { causeFrom } from './git-stderr.ts';
import { SLUG_RULE } from './misnamed-folders.ts';
import { PROJECT_FILE } from './paths.ts';
import { readProjectText } from './read-project-file.ts';
import type { ProjectReader } from './reader.ts';
import { checkRepoAddress } from './repo-address.ts';

/** Options of git. */
export interface GitOptions {
  /**
   * The whole environment of git, including `PATH` and `HOME`; nothing is inherited. Variables that restrict git
   * are added. `GIT_SSH_COMMAND` replaces `ssh -o BatchMode=yes -o ControlMaster=no`.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Timeout of one clone, in milliseconds from 1 to 2147483647. Default: 300000 (5 minutes). */
  readonly timeoutMs?: number;
}

/** Options of one clone. */
export interface CloneOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether to disable every trigger and schedule of its own `project.yaml` before the folder appears. A file in
   * which that is impossible is refused. Settings that widen the rights of agents are reset too (see `narrow` of
   * `edited`). Default: false: what the file enables is armed.
   */
  readonly disabled?: boolean | undefined;
  /** The highest `maxSpawnDepth` that a disabled clone keeps, from 0 to 8. Default: 0. */
  readonly maxSpawnDepth?: number | undefined;
  /** Called with its own `project.yaml`, if it parses, before the folder appears. */
  readonly onFile?: ((file: ProjectFile) => Promise<void>) | undefined;
}

/** A cloned project. `ownFile`: the repository has its own `project.yaml`. */
export interface ClonedProject {
  readonly created: true;
  readonly ownFile: boolean;
  /** Whether anything in that file was disabled. */
  readonly disabled: boolean;
  /** Settings in that file that were reset, such as `keeper.permissionMode`. */
  readonly narrowed: readonly string[];
}

/** What was changed in the `project.yaml` of a repository. */
type Taken = Pick<ClonedProject, 'disabled' | 'narrowed'>;

/** A clone to make. */
export interface CloneRequest extends CloneOptions {
  readonly slug: Slug;
  readonly repo: string;
  readonly text: string | null;
}

/** Where to clone to. */
export interface ClonePlace {
  readonly root: string;
  readonly git: GitOptions;
  readonly staging: StagingArea;
  readonly locks: FileLocks;
  lockFile(slug: Slug): string;
  inTurn<T>(slug: Slug, work: () => Promise<T>): Promise<T>;
  readonly reader: ProjectReader;
}

type Outcome<T> = Result<T, CloneError>;

const TIMEOUT_MS = 300_000;
// Time to move the finished clone, which waits for the lock up to 20 s.
const MARGIN_MS = 60_000;
const NAME = 'clone';
const MOST_AT_ONCE = 4;

const BUSY: CloneError = {
  code: 'unavailable',
  message: `${MOST_AT_ONCE} repositories are already being cloned. Try again when one is done.`,
  issues: [],
};

/** Creates the staging area of clones. Folders there that are older than the longest clone are leftovers. */
export function createCloneStaging(
  deps: { readonly clock: Clock; readonly logger: Logger },
  root: string,
  { timeoutMs = TIMEOUT_MS }: GitOptions,
): StagingArea {
  return createStagingArea(deps, { root, staleMs: timeoutMs + MARGIN_MS });
}

/**
 * Creates the cloner. A repository is cloned into a staging folder, which is moved to its slug when it is complete.
 */
export function createCloner(
  deps: { readonly clock: Clock; readonly logger: Logger },
  place: ClonePlace,
): (request: CloneRequest) => Promise<Outcome<ClonedProject>> {
  const { root, git, staging } = place;
  const timeoutMs = git.timeoutMs ?? TIMEOUT_MS;
  const fetchInto = async (staged: string, request: CloneRequest): Promise<Outcome<null>> => {
    const { repo, signal } = request;
    const clone = { repo, folder: staged, name: NAME, env: git.env, timeoutMs, signal };
    const outcome = await cloneWithGit(deps.clock, clone);
    const secrets = [staged, root, git.env['HOME'] ?? ''];
    return outcome.end === 'cloned' ? success(null) : failure(errorOf(outcome, timeoutMs, secrets));
  };
  const makeIn = async (staged: string, request: CloneRequest): Promise<Outcome<ClonedProject>> => {
    const fetched = await fetchInto(staged, request);
    if (!fetched.ok) return fetched;
    const folder = join(staged, NAME);
    const ownFile = await settleFile(folder, request.text);
    if (!ownFile.ok) return ownFile;
    const taken = ownFile.value ? await settleEntries(place, folder, request) : success(NONE);
    if (!taken.ok) return taken;
    const { slug, signal } = request;
    const moved = await place.inTurn(slug, () => moveIn(place, { folder, slug, signal }));
    if (!moved.ok) return moved;
    return success({ created: true, ownFile: ownFile.value, ...taken.value });
  };
  let running = 0;
  const clone = async (request: CloneRequest): Promise<Outcome<ClonedProject>> => {
    const staged = await staging.open().catch(() => null);
    if (staged === null) return failure(UNAVAILABLE);
    try {
      return await makeIn(staged, request);
    } catch (error) {
      deps.logger.error({ project: request.slug, error: messageOf(error) }, 'clone failed');
      return failure(UNAVAILABLE);
    } finally {
      await staging.close(staged);
    }
  };
  return async (request) => {
    await requireRoot(root);
    const refusal = await refusalOf(root, request);
    if (refusal !== null) return failure(refusal);
    if (running >= MOST_AT_ONCE) return failure(BUSY);
    running += 1;
    try {
      return await clone(request);
    } finally {
      running -= 1;
    }
  };
}

async function refusalOf(root: string, request: CloneRequest): Promise<CloneError | null> {
  const { slug, repo, signal } = request;
  if (!isSlug(slug)) return invalidInput([BAD_SLUG]);
  const address = checkRepoAddress(repo);
  if (!address.ok) return invalidInput(address.issues);
  if (signal?.aborted) return ABORTED;
  return (await isThere(join(root, slug))) ? TAKEN : null;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

// Returns true if the repository has its own file, which is then not touched.
async function settleFile(folder: string, text: string | null): Promise<Outcome<boolean>> {
  const file = join(folder, PROJECT_FILE);
  const own = await lstat(file).catch(() => null);
  if (own !== null) return own.isFile() ? success(true) : failure(unsuitable(NOT_A_FILE));
  if (text === null) return failure(unsuitable(NO_FILE));
  const staged = await stageFile(file, text, 0o644);
  await staged.commit(() => true);
  return success(false);
}

// If svc cannot read a file or disable its triggers, a later edit could arm them with rights that the origin of the
// file must not have.
async function settleEntries(
  place: ClonePlace,
  folder: string,
  { slug, disabled = false, maxSpawnDepth = 0, onFile = async () => {} }: CloneRequest,
): Promise<Outcome<Taken>> {
  const read = await readProjectText(await realpath(folder));
  if (read?.ok !== true) return disabled ? failure(notDisabled(read?.issues ?? [])) : success(NONE);
  if (!disabled) {
    const file = await place.reader.read(read.text, slug);
    if (file.ok) await onFile(file.value);
    return success(NONE);
  }
  const off = await place.reader.edit(read.text, { disable: 'all' }, slug);
  if (!off.ok) return failure(notDisabled(off.issues));
  const now = await place.reader.edit(off.value.text, { narrow: { maxSpawnDepth } }, slug);
  if (!now.ok) return failure(notDisabled(now.issues));
  const { text, file } = now.value;
  if (text !== read.text) {
    const staged = await stageFile(join(folder, PROJECT_FILE), text, read.mode);
    await staged.commit(() => true);
  }
  await onFile(file);
  const narrowed = differing(off.value.file.settings, file.settings);
  return success({ disabled: off.value.text !== read.text, narrowed });
}

const NONE: Taken = { disabled: false, narrowed: [] };

function differing(was: ProjectSettings, is: ProjectSettings): string[] {
  return [
    ...(['hooksMcpEnabled', 'maxSpawnDepth'] as const).filter((key) => was[key] !== is[key]),
    ...(was.keeper.permissionMode === is.keeper.permissionMode ? [] : ['keeper.permissionMode']),
  ];
}

function notDisabled(issues: readonly Issue[]): CloneError {
  const why = issues.length === 0 ? '' : ` ${sentenceOf(issues[0] as Issue, 'It')}`;
  return unsuitable(
    `must have a ${PROJECT_FILE} whose triggers and settings svc can disable.${why}`,
  );
}

async function moveIn(
  place: ClonePlace,
  clone: { folder: string; slug: Slug; signal: AbortSignal | undefined },
): Promise<Outcome<null>> {
  const lock = await place.locks.take(place.lockFile(clone.slug));
  const target = join(place.root, clone.slug);
  try {
    if (clone.signal?.aborted) return failure(ABORTED);
    if (!lock.isHeld()) return failure(UNAVAILABLE);
    if (!claim(clone.folder, target)) return failure(TAKEN);
    await syncFolder(dirname(target));
    return success(null);
  } finally {
    await lock.release();
  }
}

// The check and the rename run synchronously: a rename alone would replace an empty folder.
function claim(folder: string, target: string): boolean {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    renameSync(folder, target);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(code)) return false;
    throw error;
  }
}

function errorOf(
  outcome: Exclude<GitOutcome, { end: 'cloned' }>,
  timeoutMs: number,
  secrets: readonly string[],
): CloneError {
  switch (outcome.end) {
    case 'timed_out':
      return error('timed_out', `Cloning took longer than ${timeoutMs / 1000} s and was stopped.`);
    case 'failed': {
      const cause = causeFrom(outcome.stderr, secrets) || 'no reason given';
      return error('failed', `git could not clone the repository: ${cause}.`);
    }
    case 'not_started':
      return isMissing(outcome.error) ? GIT_MISSING : UNAVAILABLE;
    case 'aborted':
      return ABORTED;
  }
}

function isMissing(thrown: unknown): boolean {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return ['ENOENT', 'EACCES', 'ENOTDIR'].includes(code);
}

function error(
  code: CloneError['code'],
  message: string,
  issues: readonly Issue[] = [],
): CloneError {
  return { code, message, issues };
}

function invalidInput(issues: readonly Issue[]): CloneError {
  return error('invalid', 'The project cannot be cloned. See issues.', issues);
}

function unsuitable(message: string): CloneError {
  const issue = { path: 'repo', message };
  return error('unsuitable', sentenceOf(issue, 'The repository'), [issue]);
}

const BAD_SLUG: Issue = {
  path: 'slug',
  message: SLUG_RULE,
};
const NOT_A_FILE = `must have a ${PROJECT_FILE} that is a regular file, not a link or a folder.`;
const NO_FILE = `must have a ${PROJECT_FILE} at its root.`;
const TAKEN = error('taken', 'A folder of that name already exists. Choose another slug.');
const ABORTED = error('aborted', 'Cloning was cancelled.');
const GIT_MISSING = error('git_missing', 'git was not found in the PATH of svc. Install git.');
const UNAVAILABLE = error(
  'unavailable',
  'The projects folder cannot be written. Check permissions and free space, and try again.',
);
