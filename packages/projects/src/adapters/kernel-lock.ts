/** Locks of the operating system on open files: they exclude handles, and vanish with their process. */
export interface KernelLock {
  /**
   * Takes the lock of an open file, for as long as the file stays open; false while another handle holds it.
   *
   * @throws Error with the system's `code`, where the file system has no such locks
   */
  tryLock(fd: number): boolean;
}

/**
 * The kernel's locks (open file description locks on Linux, `flock` on macOS); null where there is no compiled part for
 * this platform.
 */
export async function loadKernelLock(): Promise<KernelLock | null> {
  try {
    const { default: locks } = await import('fs-native-extensions');
    return { tryLock: (fd) => locks.tryLock(fd) };
  } catch {
    return null;
  }
}

const WITHOUT_LOCKS = ['ENOLCK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'];

/** Whether an error of `tryLock` says that the file system has no locks. */
export function hasNoLocks(error: unknown): boolean {
  return WITHOUT_LOCKS.includes(String((error as NodeJS.ErrnoException).code));
}
