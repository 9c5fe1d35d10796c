import { useQuery } from '@tanstack/react-query';
import { statusQuery } from './service.ts';

/** Whether everything is paused; what uses it is drawn anew when that changes, and not at each look at the status. */
export function useAllPaused(): boolean {
  const { data = false } = useQuery({
    ...statusQuery,
    select: ({ paused }) => (paused ?? null) !== null,
  });
  return data;
}
