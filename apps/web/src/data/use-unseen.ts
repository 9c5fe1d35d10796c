import { useQueries, useQuery } from '@tanstack/react-query';
import { unseenOf } from '../model/unseen.ts';
import { MOST_ASKED } from './most-asked.ts';
import { projectsQuery, runsSinceQuery } from './queries.ts';
import { useSeenUntil } from './seen.ts';
import type { Run } from './shapes.ts';

// Runs are asked for by their beginning: those that went on for up to an hour are found.
const LONG_RUN_MS = 3_600_000;

/**
 * What has ended since somebody last looked, newest first: at most the newest 200 of a project are known, and nothing where
 * there are more projects than are asked one by one.
 */
export function useUnseen(): readonly Run[] {
  const { data: projects = [] } = useQuery(projectsQuery);
  const seen = useSeenUntil();
  const from = new Date(Date.parse(seen) - LONG_RUN_MS).toISOString();
  const asked = projects.length > MOST_ASKED ? [] : projects;
  const told = useQueries({ queries: asked.map(({ slug }) => runsSinceQuery(slug, from)) });
  return unseenOf(
    told.flatMap(({ data }) => data?.runs ?? []),
    seen,
  );
}
