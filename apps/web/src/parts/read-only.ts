import { useQuery } from '@tanstack/react-query';
import { triggersQuery } from '../data/queries.ts';
import { useIsSessionKnown, useSession } from '../data/session.ts';

/**
 * Why the user cannot change anything, as a sentence for the title of disabled controls; undefined when changes are
 * allowed. Changes are not allowed until the session is known, so that an enabled control is never disabled later.
 */
export function useReadOnly(): string | undefined {
  const isReader = useIsReader();
  if (!useIsSessionKnown()) return ASKING;
  return isReader ? READERS : undefined;
}

/** Whether the user is known to have read access only. */
export function useIsReader(): boolean {
  return useSession()?.role === 'read';
}

/** Why the project.yaml of a project cannot be changed, in a sentence; undefined when it can. */
export function useFileReadOnly(slug: string): string | undefined {
  const readOnly = useReadOnly();
  const { data: isLocked } = useQuery({
    ...triggersQuery(slug),
    select: ({ invalid }) =>
      invalid.some(({ kind }) => kind === 'unreadable' || kind === 'unconfirmed'),
  });
  return readOnly ?? (isLocked === true ? LOCKED : undefined);
}

export const READERS = 'You have read-only access: your role is read.';
const ASKING = 'Checking your permissions.';
const LOCKED = 'project.yaml must be fixed or confirmed first. Nothing can be saved until then.';
