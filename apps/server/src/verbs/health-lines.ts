import type { OperationResults } from '@svc/ops';

type Health = OperationResults['list_project_records']['projects'][number]['health'];

const MOST_TOLD = 10;

const STATES = [
  ['invalid', 'invalid'],
  ['failing', 'failing'],
  ['paused', 'paused'],
  ['unready', 'not ready'],
] as const satisfies readonly (readonly [keyof Health, string])[];

/** Which projects have triggers that somebody has to look at, and what is with them; nothing where all is well. */
export function healthLines({
  projects,
}: Pick<OperationResults['list_project_records'], 'projects'>): string[] {
  const lines = projects.flatMap(({ slug, health }) => {
    if (health.needYou + health.legacyNeedYou === 0) return [];
    const found = STATES.filter(([state]) => health[state] > 0);
    const what = found.map(([state, word]) => `${health[state]} ${word}`).join(', ');
    return [`  ${slug}: ${what === '' ? 'not armed' : what}. svc triggers ${slug} says which.`];
  });
  if (lines.length === 0) return [];
  const more = lines.length - MOST_TOLD;
  return [
    'Triggers that need you:',
    ...lines.slice(0, MOST_TOLD),
    ...(more > 0 ? [`  and in ${more} further ${more === 1 ? 'project' : 'projects'}`] : []),
  ];
}
