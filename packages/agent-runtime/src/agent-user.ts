/** A user of the operating system. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  /** Its primary group. */
  readonly gid: number;
  /** Its home folder, absolute. */
  readonly home: string;
}

/** The user that all processes of turns run as, and how to start a process as that user. */
export interface AgentUser extends SystemUser {
  /** Program and first arguments that switch to this user and then exec the command that follows them. */
  readonly prefix: readonly [program: string, ...args: string[]];
  /** Text of the module for Node that works on files; see `@svc/agent-runtime/file-helper`. */
  readonly fileHelper: string;
}

/** The failure of a turn that has no access to its project folder. `user` null: it runs as the user of this process. */
export function folderAccessDenied(user: Pick<SystemUser, 'name'> | null): string {
  return user === null
    ? 'The project folder cannot be entered.'
    : `The user ${user.name} (agents.user) cannot enter the project folder. Give it read, write and execute permission there, and execute permission on the parent folders.`;
}
