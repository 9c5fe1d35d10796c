import { SvcError } from '@svc/core';

/**
 * `agents_user_unusable`: the setting is invalid. `auth_unusable`: the access token is missing. `config_unreadable`, `no_home`, `no_projects`,
 * `home_unusable`: the file or folder does not exist, or cannot be created. `other_folder`: the projects folder or the
 * home belongs to another database. `in_use`: another process uses the home. `server_silent`, `server_unknown`: the
 * running server does not respond, or is a different one. `unavailable`: the disk is full or fails. `stopped`: the
 * start was stopped while it waited.
 */
export type ServerErrorCode =
  | 'agents_user_unusable'
  | 'auth_unusable'
  | 'config_unreadable'
  | 'home_unusable'
  | 'in_use'
  | 'no_home'
  | 'no_projects'
  | 'other_folder'
  | 'server_silent'
  | 'server_unknown'
  | 'stopped'
  | 'unavailable';

/** A start or a command failed. */
export class ServerError extends SvcError<ServerErrorCode> {}
