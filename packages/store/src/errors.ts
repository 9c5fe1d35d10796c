import { SvcError } from '@svc/core';

/**
 * A store that cannot be used. Codes: `in_use` (another process holds it), `newer_schema` (a later version wrote
 * it), `unreadable` (not a database, or no permission).
 */
export class StoreError extends SvcError {}
