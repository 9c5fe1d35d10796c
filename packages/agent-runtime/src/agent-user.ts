/** A user of the operating system. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  /** Its primary group. */
  readonly gid: number;
  /** Its home folder, absolute. */
  readonly home: string;
}

/** The user that all processes of turns run as, and what it takes to run them. */
export interface AgentUser extends SystemUser {
  /** Program and first arguments of what runs the command behind them as this user, in the same process. */
  readonly prefix: readonly [program: string, ...args: string[]];
  /** Text of the module for Node that works on files; see `@svc/agent-runtime/file-helper`. */
  readonly fileHelper: string;
}

/** What a turn fails with where its user is kept out of the project folder. */
export function keptOut(user: Pick<SystemUser, 'name'>): string {
  return `The user ${user.name} (agents.user) cannot enter the project folder: give it read, write and execute rights there, and execute rights on the folders above.`;
}
