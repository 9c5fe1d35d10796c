import { bodyOf } from '@svc/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventFilter } from '../model/filters.ts';
import { api } from './api.ts';
import type { LifecycleEvent } from './api-types.ts';

const PAGE = 50;
/** The maximum number of ids in one request. */
const MOST_IDS = 100;

/** The events of a project that match a filter, newest first, by pages. */
export const eventPagesQuery = (slug: string, { event }: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'events', 'pages', event ?? 'all'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const query = {
        limit: PAGE,
        ...(event !== undefined && { event }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const params = { path: { slug }, query };
      return bodyOf(await api.GET('/api/projects/{slug}/events', { params, signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** Events by their ids; ids of removed events are left out. */
export const eventsQuery = (slug: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['project', slug, 'events', 'of', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<readonly LifecycleEvent[]> => {
      const parts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, at) =>
        ids.slice(at * MOST_IDS, (at + 1) * MOST_IDS),
      );
      const pages = parts.map(async (id) => {
        const params = { path: { slug }, query: { id, limit: MOST_IDS } };
        return bodyOf(await api.GET('/api/projects/{slug}/events', { params, signal })).events;
      });
      return (await Promise.all(pages)).flat();
    },
  });
