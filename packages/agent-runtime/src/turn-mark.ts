import { createHash } from 'node:crypto';

/**
 * The number that marks the processes of a turn beside `SVC_TURN_ID`: 18 digits, made of its id.
 *
 * It is their limit of file locks (`RLIMIT_LOCKS`), which Linux has kept since 2.4 without acting on it (getrlimit(2)).
 * Every process inherits it, even if it changes its environment, session or parent, and no process has it by chance.
 */
export function turnMark(turnId: string): string {
  const hash = createHash('sha256').update(turnId).digest().readBigUInt64BE();
  return String(10n ** 17n + (hash % (9n * 10n ** 17n)));
}

/**
 * A shell snippet that marks the shell and thereby all its child processes. Does nothing if marking is not supported.
 */
export function markingScript(turnId: string): string {
  const mark = turnMark(turnId);
  // dash and busybox use the option `-w`, bash uses `-x`.
  return `{ ulimit -w ${mark} || ulimit -x ${mark}; } 2>/dev/null; `;
}
