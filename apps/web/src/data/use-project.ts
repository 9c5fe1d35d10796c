import { useQuery } from '@tanstack/react-query';
import { inertText } from '../model/inert.ts';
import { projectsQuery } from './queries.ts';
import type { Project } from './shapes.ts';

/** What is to be known of a project by its address. */
export interface KnownProject {
  /** Its name for people; the address while it is not known. */
  readonly name: string;
  /** Whether the service knows that there is none. */
  readonly isMissing: boolean;
  /** What it says of its keeper; undefined while that is not known. */
  readonly keeper: Project['keeper'] | undefined;
}

/** A project by its address. */
export function useProject(slug: string): KnownProject {
  const { data } = useQuery(projectsQuery);
  const project = data?.find((each) => each.slug === slug);
  return {
    name: inertText(project?.name ?? slug),
    keeper: project?.keeper,
    isMissing: data !== undefined && project === undefined,
  };
}
