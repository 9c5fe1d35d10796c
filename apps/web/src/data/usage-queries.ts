import { bodyOf, type Schemas } from '@svc/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

export type ProjectUsage = Schemas['ProjectUsage'];

/** What a project used in the last days, today among them; a run that ends makes it stale. */
export const usageQuery = (slug: string, days: number) =>
  queryOptions({
    queryKey: ['project', slug, 'runs', 'usage', days],
    queryFn: async ({ signal }): Promise<ProjectUsage> => {
      const params = { path: { slug }, query: { days } };
      return bodyOf(await api.GET('/api/projects/{slug}/usage', { params, signal }));
    },
  });
