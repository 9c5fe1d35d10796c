import { bodyOf } from '@svc/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Preview, PromptFile, TriggerPut, TriggerVerdict } from './api-types.ts';
import { readTrigger, type TriggerPath } from './trigger-changes.ts';

/** A trigger with its entity tag; changes to the triggers of its project invalidate it. */
export const triggerQuery = (path: TriggerPath) =>
  queryOptions({
    queryKey: ['project', path.slug, 'triggers', 'one', path.name],
    queryFn: ({ signal }) => readTrigger(path, signal),
  });

/** The prompt files of the triggers of a project. Edits outside the page cause no event, so each use fetches them again. */
export const promptFilesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'triggers', 'prompt-files'],
    queryFn: async ({ signal }): Promise<readonly PromptFile[]> => {
      const options = { params: { path: { slug } }, signal };
      const listed = bodyOf(await api.GET('/api/projects/{slug}/prompt-files', options));
      return listed.promptFiles.filter(({ source }) => source === 'trigger');
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

/** The preview of a schedule: its next five fires, a description and the rate. */
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

/** The validation result of a trigger before it is saved. */
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
