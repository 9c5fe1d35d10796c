import { ApiError, bodyOf } from '@svc/client';
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
      const ask = (query: object) => {
        const params = { path: { slug }, query: query as never };
        return api.POST('/api/projects/{slug}/validate-trigger', { params, body: record, signal });
      };
      const named = await ask(name === '' ? {} : { name });
      // An older service takes no name here, and tells nothing of the file.
      const isUnknown = named.response.status === 400 && takesNoName(named.error);
      return bodyOf(isUnknown ? await ask({}) : named);
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

function takesNoName(body: unknown): boolean {
  return new ApiError(400, body).issues.some(({ path }) => path === 'name');
}
