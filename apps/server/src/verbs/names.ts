import type { OperationResults } from '@svc/ops';
import { didYouMean } from '../did-you-mean.ts';
import { CommandError } from '../terminal.ts';
import type { Reach } from './reach.ts';

/** The address of a project, for what lies below it. */
export function projectPath(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}`;
}

/** The projects that there are, sorted. */
export async function projectsOf(reach: Reach): Promise<string[]> {
  const { projects } = await reach.ask<OperationResults['list_project_records']>({
    ...{ row: 'list_project_records', method: 'GET', path: '/api/projects', input: {} },
  });
  return projects.map(({ slug }) => slug).sort();
}

/** The entries of a project that are called the same as nothing else, those that cannot run included. */
export async function triggersOf(reach: Reach, project: string): Promise<string[]> {
  const { triggers, legacySchedules, invalid } = await reach.ask<
    OperationResults['list_trigger_records']
  >({
    ...{ row: 'list_trigger_records', method: 'GET', input: { project } },
    path: `${projectPath(project)}/triggers`,
  });
  return [...triggers, ...legacySchedules, ...invalid].map(({ name }) => name);
}

/**
 * Does something with a project, and, where there is none of the name, or no such trigger, says which one may be meant.
 *
 * @throws CommandError what was thrown, or with the nearest name that there is
 */
export function withNames<T>(
  reach: Reach,
  project: string,
  trigger: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const names = {
    projects: () => projectsOf(reach),
    triggers: (slug: string) => triggersOf(reach, slug),
  };
  return withNamesOf(names, project, trigger, work);
}

/** Where names are looked up. */
export interface Names {
  projects(): Promise<readonly string[]>;
  triggers(project: string): Promise<readonly string[]>;
}

/** As `withNames`, for those who look names up in another way. */
export async function withNamesOf<T>(
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

/** Does something for each, a few at a time, and gives the answers in their order. */
export async function forEach<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < all.length; i = next++) {
      answers[i] = await work(all[i] as T);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return answers;
}
