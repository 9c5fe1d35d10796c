import { useQueries, useQuery } from '@tanstack/react-query';
import {
  type Condition,
  conditionOfEntries,
  conditionOfHealth,
  UNKNOWN,
} from '../model/condition.ts';
import { type Entry, entriesOf } from '../model/entries.ts';
import { projectsQuery, triggersQuery } from './queries.ts';
import type { Project } from './shapes.ts';

/** A project with the worst of its triggers. */
export interface ProjectRow {
  readonly project: Project;
  readonly condition: Condition;
  /** Null while they are loaded, and where they are not asked for. */
  readonly entries: readonly Entry[] | null;
}

/**
 * Every project. The triggers are asked for where the list does not tell how they are, and with `entries` in any case.
 */
export function useProjects(wanted: { readonly entries: boolean } = { entries: false }) {
  const list = useQuery(projectsQuery);
  const projects = list.data ?? [];
  const told = useQueries({
    queries: projects.map(({ slug, health }) => ({
      ...triggersQuery(slug),
      enabled: wanted.entries || health === undefined,
    })),
  });
  const now = Date.now();
  const rows = projects.map((project, at): ProjectRow => {
    const data = told[at]?.data;
    const entries = data === undefined ? null : entriesOf(project.slug, data, now);
    return { project, entries, condition: conditionOf(project, entries) };
  });
  return { rows, error: list.error, isPending: list.isPending };
}

function conditionOf(project: Project, entries: readonly Entry[] | null): Condition {
  if (entries !== null) return conditionOfEntries(entries);
  return project.health === undefined ? UNKNOWN : conditionOfHealth(project.health);
}
