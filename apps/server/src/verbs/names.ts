import type { OperationResults } from '@svc/ops';
import { didYouMean } from '../did-you-mean.ts';
import { CommandError } from '../terminal.ts';
import type { ServiceAccess } from './service-access.ts';

/** The API path of a project. */
export function projectPath(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}`;
}

/** The existing projects, sorted. */
export async function projectsOf(service: ServiceAccess): Promise<string[]> {
  const { projects } = await service.call<OperationResults['list_project_records']>({
    ...{ row: 'list_project_records', method: 'GET', path: '/api/projects', input: {} },
  });
  return projects.map(({ slug }) => slug).sort();
}

/** Names of all entries of a project, also of invalid ones. */
export async function triggersOf(service: ServiceAccess, project: string): Promise<string[]> {
  const { triggers, legacySchedules, invalid } = await service.call<
    OperationResults['list_trigger_records']
  >({
    ...{ row: 'list_trigger_records', method: 'GET', input: { project } },
    path: `${projectPath(project)}/triggers`,
  });
  return [...triggers, ...legacySchedules, ...invalid].map(({ name }) => name);
}

/**
 * Runs work on a project or trigger. If it fails because the name does not exist, suggests the most similar one.
 *
 * @throws CommandError with the suggestion; otherwise the original error
 */
export function withNameSuggestions<T>(
  service: ServiceAccess,
  project: string,
  trigger: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const names = {
    projects: () => projectsOf(service),
    triggers: (slug: string) => triggersOf(service, slug),
  };
  return withNameSuggestionsFrom(names, project, trigger, work);
}

/** How to look up names. */
export interface Names {
  projects(): Promise<readonly string[]>;
  triggers(project: string): Promise<readonly string[]>;
}

/** Like `withNameSuggestions`, with another way to look up names. */
export async function withNameSuggestionsFrom<T>(
  names: Names,
  project: string,
  trigger: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const unknown = await unknownName(names, project, trigger).catch(() => null);
    throw unknown === null ? error : new CommandError(unknown);
  }
}

async function unknownName(
  names: Names,
  project: string,
  trigger: string | null,
): Promise<string | null> {
  const projects = await names.projects();
  if (!projects.includes(project)) {
    return `There is no project ${project}.${didYouMean(project, projects)}`;
  }
  if (trigger === null) return null;
  const triggers = await names.triggers(project);
  if (triggers.includes(trigger)) return null;
  return `There is no trigger ${trigger} in the project ${project}.${didYouMean(trigger, triggers)}`;
}

const AT_ONCE = 8;

/** Processes all items, eight at a time; the results have the order of the items. */
export async function forEach<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < all.length; i = next++) {
      results[i] = await work(all[i] as T);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
