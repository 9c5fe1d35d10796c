import { createHash } from 'node:crypto';

/**
 * The number that marks the processes of a turn beside `SVC_TURN_ID`: 18 digits, made of its id.
 *
 * It is their limit of file locks (`RLIMIT_LOCKS`), which Linux has kept since 2.4 without acting on it (getrlimit(2)).
 * Every process inherits it, whatever it does with its environment, its session and its parent, and none can have it by
 * chance.
 */
export function turnMark(turnId: string): string {
  const hash = createHash('sha256').update(turnId).digest().readBigUInt64BE();
  return String(10n ** 17n + (hash % (9n * 10n ** 17n)));
}

/** Shell text that marks the shell which runs it, and so all that it starts; does nothing where that cannot be done. */
export function markingScript(turnId: string): string {
  const mark = turnMark(turnId);
  // The letter of the option is that of dash and busybox, then that of bash.
  return `{ ulimit -w ${mark} || ulimit -x ${mark}; } 2>/dev/null; `;
}
