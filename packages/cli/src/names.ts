import type { Api } from '@svc/client';
import { createSemaphore } from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';
import { answerOf } from './service.ts';
import { CommandError } from './terminal.ts';

/** The existing projects, sorted. */
export async function projectsOf(api: Api): Promise<string[]> {
  const { projects } = await answerOf(api.GET('/api/projects'), 'projects');
  return projects.map(({ slug }) => slug).sort();
}

/** Names of all entries of a project, also of invalid ones. */
export async function triggersOf(api: Api, slug: string): Promise<string[]> {
  const params = { path: { slug } };
  const listed = await answerOf(
    api.GET('/api/projects/{slug}/triggers', { params }),
    'triggers',
    'legacySchedules',
    'invalid',
  );
  const { triggers, legacySchedules, invalid } = listed;
  return [...triggers, ...legacySchedules, ...invalid].map(({ name }) => name);
}

/**
 * Runs work on a project or trigger. If it fails because the name does not exist, suggests the most similar one.
 *
 * @throws CommandError with the suggestion; otherwise the original error
 */
export async function withNameSuggestions<T>(
  api: Api,
  project: string,
  trigger: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const unknown = await unknownName(api, project, trigger).catch(() => null);
    throw unknown === null ? error : new CommandError(unknown);
  }
}

async function unknownName(
  api: Api,
  project: string,
  trigger: string | null,
): Promise<string | null> {
  const projects = await projectsOf(api);
  if (!projects.includes(project)) {
    return `There is no project ${project}.${didYouMean(project, projects)}`;
  }
  if (trigger === null) return null;
  const triggers = await triggersOf(api, project);
  if (triggers.includes(trigger)) return null;
  return `There is no trigger ${trigger} in the project ${project}.${didYouMean(trigger, triggers)}`;
}

const AT_ONCE = 8;

/** The results of one project, or of all, eight projects at a time. */
export async function inProjects<T>(
  api: Api,
  project: string | undefined,
  work: (slug: string) => Promise<readonly T[]>,
): Promise<T[]> {
  const slugs = project === undefined ? await projectsOf(api) : [project];
  const places = createSemaphore(AT_ONCE);
  const inTurn = async (slug: string): Promise<readonly T[]> => {
    await places.acquire();
    return withNameSuggestions(api, slug, null, () => work(slug)).finally(places.release);
  };
  return (await Promise.all(slugs.map(inTurn))).flat();
}
