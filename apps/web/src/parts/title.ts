import { useEffect } from 'react';

/** Sets the title of the window: "nightly-report, Hello, svc". */
export function usePageTitle(...parts: readonly string[]): void {
  const title = [...parts, 'svc'].join(', ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
