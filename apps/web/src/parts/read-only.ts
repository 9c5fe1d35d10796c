import { useQuery } from '@tanstack/react-query';
import { triggersQuery } from '../data/queries.ts';
import { useIsAnswered, useSession } from '../data/session.ts';

/**
 * Why whoever looks at the page may change nothing, in a sentence for the title of what is switched off; undefined for those
 * who may. While it is not known who is asking nobody may: what can be used once stays usable.
 */
export function useReadOnly(): string | undefined {
  const isReader = useIsReader();
  if (!useIsAnswered()) return ASKING;
  return isReader ? READERS : undefined;
}

/** Whether it is known that whoever looks at the page may look alone. */
export function useIsReader(): boolean {
  return useSession()?.role === 'read';
}

/** Why nothing can be written to the project.yaml of a project, in a sentence; undefined where it can be. */
export function useNoWriting(slug: string): string | undefined {
  const readOnly = useReadOnly();
  const { data: isBroken } = useQuery({
    ...triggersQuery(slug),
    select: ({ invalid }) => invalid.some(({ source }) => source === 'file'),
  });
  return readOnly ?? (isBroken === true ? BROKEN : undefined);
}

export const READERS = 'You have read-only access: your role is read.';
const ASKING = 'Checking your permissions.';
const BROKEN = 'project.yaml cannot be read. Nothing can be saved until it is fixed.';
