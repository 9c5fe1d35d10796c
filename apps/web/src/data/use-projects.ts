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
  /** Null while they are loaded. */
  readonly entries: readonly Entry[] | null;
}

/** Every project with its triggers, so that all views count the same; until they are here it is as the list says it is. */
export function useProjects() {
  const list = useQuery(projectsQuery);
  const projects = list.data ?? [];
  const told = useQueries({
    queries: projects.map(({ slug }) => triggersQuery(slug)),
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
