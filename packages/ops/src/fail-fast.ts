import type { Clock } from '@svc/core';
import type { Connectivity } from '@svc/store';

// Work that depends on the database fails within this time; other work may take as long as the database is unavailable.
const MOMENT_MS = 500;

/**
 * The result of work, or of `otherwise` shortly after the database becomes unavailable, so that callers do not wait
 * until it is back. The work continues.
 */
export async function failFastWhileUnavailable<T>(
  { connectivity, clock }: { readonly connectivity: Connectivity; readonly clock: Clock },
  work: Promise<T>,
  otherwise: (fault: string) => T,
): Promise<T> {
  let end = (): void => {};
  const cut = new Promise<T>((resolve) => {
    const later = (fault: string | null): void => {
      if (fault === null) return;
      const timer = clock.setTimeout(
        () => resolve(otherwise(connectivity.fault ?? fault)),
        MOMENT_MS,
      );
      const before = end;
      end = () => {
        before();
        clock.clearTimeout(timer);
      };
    };
    end = connectivity.subscribe(later);
    later(connectivity.fault);
  });
  return Promise.race([work, cut]).finally(() => end());
}
