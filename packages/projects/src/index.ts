export { type NewContent, syncFolder } from './adapters/atomic-write.ts';
export { createFileLocks, type FileLockOptions, type FileLocks } from './adapters/file-lock.ts';
export type { WatchFolder } from './adapters/folder-watches.ts';
export type { KernelLock } from './adapters/kernel-lock.ts';
export {
  createLastGoodVersions,
  createSharedLastGoodVersions,
  type LastGoodVersions,
  type SharedTexts,
} from './adapters/last-good-files.ts';
export type { HeldLock, LockHolder } from './adapters/lock-parts.ts';
export { type OpenFolder, openFolder } from './adapters/open-folder.ts';
export type { PromptFile } from './adapters/prompt-listing.ts';
export { createSharedLocks, type NameLocks } from './adapters/shared-locks.ts';
export type { LimitedWatch } from './adapters/watch-projects.ts';
export type { ClonedProject, CloneOptions, GitOptions } from './cloner.ts';
export type { Confirmation } from './confirm-file.ts';
export type { Curated, CuratedText, CuratedTexts } from './curated.ts';
export type { CuratedChange, CuratedEdit } from './curated-writes.ts';
export type { Change, Changed, Decision, EditPreview, FileGuard } from './edit-file.ts';
export { type CloneError, type EditError, ProjectsError } from './errors.ts';
export type { LastGood } from './last-good.ts';
export { isMisnamed, SLUG_RULE } from './misnamed-folders.ts';
export {
  CURATED_FILES,
  type CuratedFile,
  decodeUtf8,
  PROJECT_FILE,
  PROMPT_FOLDERS,
} from './paths.ts';
export {
  createProjects,
  type Projects,
  type ProjectsOptions,
} from './projects.ts';
export { createPromptVerdicts, type PromptVerdicts } from './prompt-verdicts.ts';
export { type NamedPrompt, promptFault, promptWarning } from './prompt-warning.ts';
export { type ProjectText, readProjectFile } from './read-project-file.ts';
export { checkRepoAddress } from './repo-address.ts';
export type { ProjectSnapshot } from './snapshots.ts';
export type { ThreadSettings } from './threaded-reader.ts';
