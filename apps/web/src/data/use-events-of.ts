import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { eventsQuery } from './event-queries.ts';
import type { LifecycleEvent, Run } from './shapes.ts';

/** The events that have started some runs of a project, by id; without those that are not known yet or are gone. */
export function useEventsOf(
  slug: string,
  runs: readonly Pick<Run, 'eventId'>[],
): ReadonlyMap<string, LifecycleEvent> {
  const ids = [...new Set(runs.flatMap(({ eventId }) => eventId ?? []))].sort();
  const { data = [] } = useQuery({ ...eventsQuery(slug, ids), placeholderData: keepPreviousData });
  return new Map(data.map((event) => [event.id, event]));
}
