import { SvcError } from '@svc/core';

/**
 * `in_use`: another process has the database open. `newer_schema`: a later version wrote it.
 * `older_schema`: a version before 0.1.0 wrote it. `unreadable`: it is not a
 * database, or permissions are missing. `unavailable`: the disk is full or fails, or the server does not respond or
 * refuses; the message says what to do. `no_address`: the address is invalid. `pooled`: the address leads to a pooler
 * that reassigns connections between transactions. `limit_spent`: a daily limit of runs is reached; the fact `of` is
 * `trigger` or `all`. `not_empty`: the target of a copy has content.
 */
export type StoreErrorCode =
  | 'in_use'
  | 'newer_schema'
  | 'older_schema'
  | 'unreadable'
  | 'unavailable'
  | 'no_address'
  | 'pooled'
  | 'limit_spent'
  | 'not_empty';

/** A store cannot be used. */
export class StoreError extends SvcError<StoreErrorCode> {}
