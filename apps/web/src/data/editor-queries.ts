import { bodyOf } from '@svc/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Preview, PromptFile, TriggerPut, TriggerVerdict } from './shapes.ts';
import { readTrigger, type TriggerPath } from './trigger-changes.ts';

/** A trigger with its entity tag; what changes the triggers of its project makes it stale. */
export const triggerQuery = (path: TriggerPath) =>
  queryOptions({
    queryKey: ['project', path.slug, 'triggers', 'one', path.name],
    queryFn: ({ signal }) => readTrigger(path, signal),
  });

/** The prompt files of the triggers of a project. What is edited outside of the page makes no event: it is asked anew. */
export const promptFilesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'triggers', 'prompt-files'],
    queryFn: async ({ signal }): Promise<readonly PromptFile[]> => {
      const options = { params: { path: { slug } }, signal };
      const told = bodyOf(await api.GET('/api/projects/{slug}/prompt-files', options));
      return told.promptFiles.filter(({ source }) => source === 'trigger');
    },
    staleTime: 0,
  });

/** The text of a prompt file. */
export const promptTextQuery = (slug: string, file: string) =>
  queryOptions({
    queryKey: ['project', slug, 'triggers', 'prompt-files', file],
    queryFn: async ({ signal }): Promise<string> => {
      const options = { params: { path: { slug, file } }, signal };
      return bodyOf(await api.GET('/api/projects/{slug}/prompt-files/{file}', options)).text;
    },
    staleTime: 0,
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
