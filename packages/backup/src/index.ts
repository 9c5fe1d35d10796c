export type { DatabaseSource } from './database-copy.ts';
export { BackupError, type BackupErrorCode } from './errors.ts';
export type { HomeFolders } from './home-files.ts';
export { type LeftOut, type LeftOutReason, leftOutLines } from './left-out.ts';
export { type DatabasePlace, STAGED_FOLDER } from './manifest.ts';
export { inSize, type Progress, progressOn } from './report.ts';
export {
  type ConfigReferences,
  type Restored,
  type RestoreOptions,
  restoreBackup,
} from './restore-backup.ts';
export { type Backup, type BackupOptions, requireRoomFor, writeBackup } from './write-backup.ts';
