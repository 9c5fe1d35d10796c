import { ApiError, bodyOf, type Schemas } from '@svc/client';
import { api } from './api.ts';

/** A project to be, as somebody types it. */
export interface ProjectDraft {
  readonly kind: 'empty' | 'clone';
  readonly name: string;
  readonly slug: string;
  readonly repo: string;
  readonly summary: string;
}

export const EMPTY_DRAFT: ProjectDraft = {
  kind: 'empty',
  name: '',
  slug: '',
  repo: '',
  summary: '',
};

/** Creates a project; what was left empty is left to the service. */
export async function createProject(draft: ProjectDraft): Promise<Schemas['CreatedProject']> {
  const { kind, name, slug, repo, summary } = draft;
  const body = {
    name: name.trim(),
    ...(slug.trim() !== '' && { slug: slug.trim() }),
    ...(kind === 'clone' && { repo: repo.trim() }),
    ...(summary.trim() !== '' && { summary: summary.trim() }),
  };
  return bodyOf(await api.POST('/api/projects', { body }));
}

/** What the service has against single fields, by their names. */
export function fieldErrors(error: Error | null): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  if (!(error instanceof ApiError)) return errors;
  for (const { path, message } of error.issues) errors[path] = [...(errors[path] ?? []), message];
  return errors;
}
