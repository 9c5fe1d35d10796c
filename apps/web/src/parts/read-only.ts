import { useSession } from '../data/session.ts';

/**
 * Why whoever looks at the page may change nothing, in a sentence for the title of what is switched off; undefined for those
 * who may.
 */
export function useReadOnly(): string | undefined {
  const session = useSession();
  return session?.role === 'read' ? READERS : undefined;
}

const READERS = 'You may look, and not change anything: your role here is read.';
