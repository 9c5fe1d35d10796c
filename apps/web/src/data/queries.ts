import { bodyOf } from '@svc/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import type { Project, Run, TriggerList, Upcoming } from './api-types.ts';

// A query key starts with the key of the change event that invalidates it.
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }): Promise<readonly Project[]> =>
    bodyOf(await api.GET('/api/projects', { signal })).projects,
});

export const triggersQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'triggers', 'list'],
    queryFn: async ({ signal }) => {
      const options = { params: { path: { slug } }, signal };
      const [list, runtime] = await Promise.all([
        api.GET('/api/projects/{slug}/triggers', options),
        api.GET('/api/projects/{slug}/triggers/runtime', options),
      ]);
      const listed: TriggerList = bodyOf(list);
      return { ...listed, runtime: bodyOf(runtime).runtime };
    },
  });

export const upcomingQuery = (slug: string, hours: number) =>
  queryOptions({
    queryKey: ['project', slug, 'upcoming', hours],
    queryFn: async ({ signal }): Promise<Upcoming> => {
      const params = { path: { slug }, query: { hours } };
      return bodyOf(await api.GET('/api/projects/{slug}/upcoming', { params, signal }));
    },
  });

/** The newest runs since an instant (UTC ISO text), at most 200. */
export const runsSinceQuery = (slug: string, from: string) =>
  queryOptions({
    queryKey: ['project', slug, 'runs', 'since', from],
    queryFn: async ({ signal }): Promise<{ runs: readonly Run[]; isAll: boolean }> => {
      const params = { path: { slug }, query: { from, limit: 200 } };
      const page = bodyOf(await api.GET('/api/projects/{slug}/runs', { params, signal }));
      return { runs: page.runs, isAll: page.next === null };
    },
  });
