import { bodyOf } from '@svc/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Why } from './api-types.ts';
import type { TriggerPath } from './trigger-changes.ts';

const PAGE = 50;

/** The decision about one instant of a trigger; null asks about its newest slot. */
export const whyQuery = ({ slug, name }: TriggerPath, at: string | null) =>
  queryOptions({
    queryKey: ['project', slug, 'triggers', 'why', name, at],
    queryFn: async ({ signal }): Promise<Why> => {
      const params = { path: { slug, name }, query: at === null ? {} : { at } };
      return bodyOf(await api.GET('/api/projects/{slug}/triggers/{name}/why', { params, signal }));
    },
  });

/** The changes of a trigger, newest first, by pages. */
export const changePagesQuery = ({ slug, name }: TriggerPath) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'triggers', 'changes', name],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) };
      const params = { path: { slug, name }, query };
      return bodyOf(
        await api.GET('/api/projects/{slug}/triggers/{name}/changes', { params, signal }),
      );
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
