/** A limit of the system on watching that is reached. */
export interface WatchLimit {
  readonly name: string;
  /** One sentence: what is reached and how to raise it. */
  readonly sentence: string;
}

const WATCHES = limit('fs.inotify.max_user_watches', 524_288);
const INSTANCES = limit('fs.inotify.max_user_instances', 1024);
const FILES: WatchLimit = {
  name: 'nofile',
  sentence:
    'The limit of open files (nofile) is reached: raise it for svc, as with ulimit -n 65536.',
};

function limit(name: string, enough: number): WatchLimit {
  const sentence = `The limit ${name} of this machine is reached: raise it, as with sysctl -w ${name}=${enough}.`;
  return { name, sentence };
}

/** The limit that kept something from being watched; null where it was something else. `isFirst`: nothing was watched yet. */
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
