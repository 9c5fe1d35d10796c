import { useEffect } from 'react';
import { inertText } from '../model/inert-text.ts';

/** Sets the window title: "nightly-report, Hello, svc". */
export function usePageTitle(...parts: readonly string[]): void {
  const title = inertText([...parts, 'svc'].join(', '));
  useEffect(() => {
    document.title = title;
  }, [title]);
}
