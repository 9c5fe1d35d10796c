import type { Clock } from '@svc/core';
import type { Connectivity } from '@svc/store';

// What fails with the database does so by then; what does not may wait for as long as it is away.
const MOMENT_MS = 500;

/**
 * What comes of work, or of `otherwise` a moment after the database has gone away: nobody who asks waits until it is back.
 * The work goes on.
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
