import { bodyOf, type Schemas } from '@svc/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

export type ProjectUsage = Schemas['ProjectUsage'];

/** The usage of a project in the last days, including today; each run that ends invalidates it. */
export const usageQuery = (slug: string, days: number) =>
  queryOptions({
    queryKey: ['project', slug, 'runs', 'usage', days],
    queryFn: async ({ signal }): Promise<ProjectUsage> => {
      const params = { path: { slug }, query: { days } };
      return bodyOf(await api.GET('/api/projects/{slug}/usage', { params, signal }));
    },
  });
