import { SvcError } from '@svc/core';

/**
 * `address_unusable`: nothing can listen there. `agents_user_unusable`, `env_file_unusable`, `tls_unusable`: the setting does not
 * hold; nor does `auth_unusable`, where the access token is missing. `config_unreadable`, `no_home`, `no_projects`, `home_unusable`: there is no such file or folder, or it cannot be made.
 * `other_folder`: the folder of projects, or the home, belongs to another database. `in_use`:
 * another process has the home. `server_silent`, `server_unknown`: what runs does not answer, or is another.
 * `unavailable`: the disk is full or fails. `stopped`: somebody ended the start while it waited.
 */
export type ServerErrorCode =
  | 'address_unusable'
  | 'agents_user_unusable'
  | 'auth_unusable'
  | 'config_unreadable'
  | 'env_file_unusable'
  | 'home_unusable'
  | 'in_use'
  | 'no_home'
  | 'no_projects'
  | 'other_folder'
  | 'server_silent'
  | 'server_unknown'
  | 'tls_unusable'
  | 'stopped'
  | 'unavailable';

/** A start, or a command, that cannot go on. */
export class ServerError extends SvcError<ServerErrorCode> {}
