/** Locks of the operating system on open files. They exclude other handles and are released when the process ends. */
export interface KernelLock {
  /**
   * Takes the lock of an open file until the file is closed. Returns false if another handle holds it.
   * @throws Error with the system's `code` if the file system has no such locks
   */
  tryLock(fd: number): boolean;
}

/**
 * Loads the kernel's locks (open file description locks on Linux, `flock` on macOS); null if there is no native
 * module for this platform.
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

/** Whether an error of `tryLock` means that the file system has no locks. */
export function hasNoLocks(error: unknown): boolean {
  return WITHOUT_LOCKS.includes(String((error as NodeJS.ErrnoException).code));
}
