import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LifecycleEvent, Run } from './api-types.ts';
import { eventsQuery } from './event-queries.ts';

/** The events that started some runs of a project, by id; events that are not loaded or were removed are missing. */
export function useEventsOf(
  slug: string,
  runs: readonly Pick<Run, 'eventId'>[],
): ReadonlyMap<string, LifecycleEvent> {
  const ids = [...new Set(runs.flatMap(({ eventId }) => eventId ?? []))].sort();
  const { data = [] } = useQuery({ ...eventsQuery(slug, ids), placeholderData: keepPreviousData });
  return new Map(data.map((event) => [event.id, event]));
}
