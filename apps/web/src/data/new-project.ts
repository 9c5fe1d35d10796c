import { ApiError, bodyOf, type Schemas } from '@svc/client';
import { api } from './api.ts';

/** The fields of the new project form. */
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

/** Creates a project; the service fills in empty fields. */
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

/** The validation errors of the service, by field name. */
export function fieldErrors(error: Error | null): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  if (!(error instanceof ApiError)) return errors;
  for (const { path, message } of error.issues) errors[path] = [...(errors[path] ?? []), message];
  return errors;
}
