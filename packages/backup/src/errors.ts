import { SvcError } from '@svc/core';

/**
 * `invalid_backup`: the file is missing, unreadable, damaged or of a newer version. `conflict`: files exist at the target.
 * `failed`: the database is damaged, its server stopped, or the disk failed.
 */
export type BackupErrorCode = 'invalid_backup' | 'conflict' | 'failed';

/** A backup was not written or not restored. */
export class BackupError extends SvcError<BackupErrorCode> {}
