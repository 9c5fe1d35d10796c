import { useQuery } from '@tanstack/react-query';
import { statusQuery } from './service.ts';

/**
 * Whether all triggers are paused. Components that use it render again only when this changes, not with each status update.
 */
export function useAllPaused(): boolean {
  const { data = false } = useQuery({
    ...statusQuery,
    select: ({ paused }) => (paused ?? null) !== null,
  });
  return data;
}
