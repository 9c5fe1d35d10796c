import { bodyOf } from '@svc/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Preview, TriggerPut, TriggerVerdict } from './shapes.ts';
import { readTrigger, type TriggerPath } from './trigger-changes.ts';

/** A trigger with its entity tag; what changes the triggers of its project makes it stale. */
export const triggerQuery = (path: TriggerPath) =>
  queryOptions({
    queryKey: ['project', path.slug, 'triggers', 'one', path.name],
    queryFn: ({ signal }) => readTrigger(path, signal),
  });

/** What a schedule would do: its next five fires, in words, and how often. */
export const previewQuery = (schedule: {
  readonly cron?: string;
  readonly interval?: string;
  readonly timezone?: string;
}) =>
  queryOptions({
    queryKey: ['preview', schedule],
    queryFn: async ({ signal }): Promise<Preview> => {
      const params = { query: { ...schedule, count: 5 } };
      return bodyOf(await api.GET('/api/preview', { params, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** What the service has to say of a trigger before it is written. */
export const verdictQuery = ({ slug, name }: TriggerPath, record: TriggerPut) =>
  queryOptions({
    queryKey: ['project', slug, 'triggers', 'verdict', name, record],
    queryFn: async ({ signal }): Promise<TriggerVerdict> => {
      const params = { path: { slug }, query: name === '' ? {} : { name } };
      const options = { params, body: record, signal };
      return bodyOf(await api.POST('/api/projects/{slug}/validate-trigger', options));
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
