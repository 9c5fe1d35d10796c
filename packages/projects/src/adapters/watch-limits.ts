/** A system limit on watching that was reached. */
export interface WatchLimit {
  readonly name: string;
  /** One sentence: which limit was reached and how to raise it. */
  readonly sentence: string;
}

const WATCHES = limit('fs.inotify.max_user_watches', 524_288);
const INSTANCES = limit('fs.inotify.max_user_instances', 1024);
const FILES: WatchLimit = {
  name: 'nofile',
  sentence:
    'The limit of open files (nofile) is reached. Raise it for svc, for example with ulimit -n 65536.',
};

function limit(name: string, enough: number): WatchLimit {
  const sentence = `The limit ${name} of this machine is reached. Raise it, for example with sysctl -w ${name}=${enough}.`;
  return { name, sentence };
}

/** Returns the limit that prevented watching; null for another error. `isFirst`: nothing was watched yet. */
export function watchLimitOf(error: unknown, isFirst: boolean): WatchLimit | null {
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ENOSPC':
      return WATCHES;
    case 'EMFILE':
      return isFirst ? INSTANCES : FILES;
    case 'ENFILE':
      return FILES;
    default:
      return null;
  }
}
