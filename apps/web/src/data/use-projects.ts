import { useQueries, useQuery } from '@tanstack/react-query';
import { type Entry, entriesOf } from '../model/entries.ts';
import { attentionCount, type ProjectState, stateOfHealth } from '../model/project-state.ts';
import type { Project } from './api-types.ts';
import { MAX_QUERIED_PROJECTS } from './max-queried-projects.ts';
import { projectsQuery, triggersQuery } from './queries.ts';

/** A project with the state of its worst trigger. */
export interface ProjectRow {
  readonly project: Project;
  readonly condition: ProjectState;
}

/** Returns every project with the trigger counts of the service. */
export function useProjects() {
  const { data = [], error, isPending } = useQuery(projectsQuery);
  const rows = data.map((project): ProjectRow => {
    const { health, faults } = project;
    return { project, condition: stateOfHealth(health, faults) };
  });
  return { rows, error, isPending };
}

/**
 * The triggers that need attention, by name; null until the first are loaded. Only projects that have some are queried, and
 * at most the first `MAX_QUERIED_PROJECTS`.
 */
export function useAttentionEntries(rows: readonly ProjectRow[]): readonly Entry[] | null {
  const slugs = rows
    .filter(({ condition }) => attentionCount(condition) > 0)
    .slice(0, MAX_QUERIED_PROJECTS)
    .map(({ project }) => project.slug);
  const results = useQueries({ queries: slugs.map(triggersQuery) });
  if (results.length > 0 && results.every(({ isPending }) => isPending)) return null;
  const now = Date.now();
  return slugs.flatMap((slug, at) => {
    const data = results[at]?.data;
    return data === undefined ? [] : entriesOf(slug, data, now).filter(({ needsYou }) => needsYou);
  });
}
