import { SvcError } from '@svc/core';

/**
 * `in_use`: another process holds the database. `newer_schema`: a later version wrote it. `unreadable`: it is no
 * database, or there is no permission. `unavailable`: the disk is full or fails, or the server does not do what it is asked for; the message says what to do.
 * `no_address`: what shall lead to a server does not. `pooled`: it leads to a pooler that hands connections on between transactions.
 * `limit_spent`: a daily limit of fires is; the fact `of` is `trigger` or `all`. `not_empty`: there is something where
 * everything is to be copied to.
 */
export type StoreErrorCode =
  | 'in_use'
  | 'newer_schema'
  | 'unreadable'
  | 'unavailable'
  | 'no_address'
  | 'pooled'
  | 'limit_spent'
  | 'not_empty';

/** A store that cannot be used. */
export class StoreError extends SvcError<StoreErrorCode> {}
