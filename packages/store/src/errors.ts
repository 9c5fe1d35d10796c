import { SvcError } from '@svc/core';

/**
 * A store that cannot be used. Codes: `in_use` (another process holds it), `newer_schema` (a later version wrote
 * it), `unreadable` (not a database, or no permission), `unavailable` (the disk is full or fails: the message says what to
 * do).
 */
export class StoreError extends SvcError {}
