import { bodyOf } from '@svc/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { outcomesOf, type RunFilter, startOf } from '../model/filters.ts';
import { api } from './api.ts';
import type { Run } from './api-types.ts';

const PAGE = 50;

/** A page of runs. */
export interface RunPage {
  readonly runs: readonly Run[];
  readonly next: string | null;
  /** On the last page: the older runs that retention has removed. */
  readonly removed: { readonly count: number; readonly until: string } | null;
}

/** The runs of a project that match a filter, newest first, by pages. */
export const runPagesQuery = (slug: string, filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'runs', 'pages', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }): Promise<RunPage> => {
      const { trigger, from } = filter;
      const outcome = outcomesOf(filter);
      const query = {
        limit: PAGE,
        ...(trigger !== undefined && { trigger }),
        ...(outcome.length > 0 && { outcome: [...outcome] }),
        ...(from !== undefined && { from: startOf(from) }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const params = { path: { slug }, query };
      return bodyOf(await api.GET('/api/projects/{slug}/runs', { params, signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export const runQuery = (slug: string, runId: string) =>
  queryOptions({
    queryKey: ['project', slug, 'run', runId],
    queryFn: async ({ signal }): Promise<Run> => {
      const params = { path: { slug, runId } };
      return bodyOf(await api.GET('/api/projects/{slug}/runs/{runId}', { params, signal }));
    },
  });

/** Cancels a queued or running run. */
export async function cancelRun(slug: string, runId: string): Promise<void> {
  const params = { path: { slug, runId } };
  bodyOf(await api.POST('/api/projects/{slug}/runs/{runId}/cancel', { params }));
}
