import { useQuery } from '@tanstack/react-query';
import { inertText } from '../model/inert.ts';
import { projectsQuery } from './queries.ts';

/** A project by its address: its name for people, and whether the service knows that there is none. */
export function useProject(slug: string): { readonly name: string; readonly isMissing: boolean } {
  const { data } = useQuery(projectsQuery);
  const project = data?.find((each) => each.slug === slug);
  return {
    name: inertText(project?.name ?? slug),
    isMissing: data !== undefined && project === undefined,
  };
}
