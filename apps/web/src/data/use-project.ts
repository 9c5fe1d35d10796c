import { useQuery } from '@tanstack/react-query';
import { inertText } from '../model/inert-text.ts';
import type { Project } from './api-types.ts';
import { projectsQuery } from './queries.ts';

/** A project as the page knows it. */
export interface KnownProject {
  /** Its display name; the slug until the name is known. */
  readonly name: string;
  /** Whether the service has reported that it does not exist. */
  readonly isMissing: boolean;
  /** Its keeper settings; undefined until they are known. */
  readonly keeper: Project['keeper'] | undefined;
}

/** Returns a project by its slug. */
export function useProject(slug: string): KnownProject {
  const { data } = useQuery(projectsQuery);
  const project = data?.find((each) => each.slug === slug);
  return {
    name: inertText(project?.name ?? slug),
    keeper: project?.keeper,
    isMissing: data !== undefined && project === undefined,
  };
}
