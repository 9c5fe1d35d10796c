import { useQueries, useQuery } from '@tanstack/react-query';
import { unseenOf } from '../model/unseen.ts';
import type { Run } from './api-types.ts';
import { MAX_QUERIED_PROJECTS } from './max-queried-projects.ts';
import { projectsQuery, runsSinceQuery } from './queries.ts';
import { useSeenUntil } from './seen.ts';

// The query filters by start time; this margin finds runs that lasted up to an hour.
const LONG_RUN_MS = 3_600_000;

/**
 * The runs that finished since the user last marked them as read, newest first: at most the newest 200 of each project, and
 * none with more than `MAX_QUERIED_PROJECTS` projects.
 */
export function useUnseen(): readonly Run[] {
  const { data: projects = [] } = useQuery(projectsQuery);
  const seen = useSeenUntil();
  const from = new Date(Date.parse(seen) - LONG_RUN_MS).toISOString();
  const asked = projects.length > MAX_QUERIED_PROJECTS ? [] : projects;
  const results = useQueries({ queries: asked.map(({ slug }) => runsSinceQuery(slug, from)) });
  return unseenOf(
    results.flatMap(({ data }) => data?.runs ?? []),
    seen,
  );
}
