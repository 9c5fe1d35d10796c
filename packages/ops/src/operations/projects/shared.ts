import type { ProjectSnapshot } from '@svc/projects';
import { PERMISSION_MODES } from '@svc/records';
import type { FromSchema } from '@svc/schema';
import { count, exactly, issueSchema, listOf, text, textOrNull } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import type { AttentionItem } from '../../queries/attention.ts';
import type { Services } from '../../services.ts';

export const projectSchema = {
  $id: 'Project',
  ...exactly({
    slug: text,
    name: text,
    summary: textOrNull,
    area: textOrNull,
    status: textOrNull,
    repo: textOrNull,
    keeper: {
      description: 'The keeper settings of project.yaml; null means the default of the service.',
      ...exactly({
        runtime: textOrNull,
        model: textOrNull,
        permissionMode: { enum: [...PERMISSION_MODES, null] },
      }),
    },
    triggerCount: count,
    faults: { ...listOf(issueSchema), description: 'Why project.yaml cannot be read.' },
  }),
} as const;

/** A project in lists. */
export type ProjectView = FromSchema<typeof projectSchema>;

/** A project in wire form. */
export function viewOf({ slug, file, faults }: ProjectSnapshot): ProjectView {
  const settings = file?.settings;
  return {
    slug,
    name: settings?.name ?? slug,
    summary: settings?.summary ?? null,
    area: settings?.area ?? null,
    status: settings?.status ?? null,
    repo: settings?.repo === undefined ? null : withoutCredentials(settings.repo),
    keeper: {
      runtime: settings?.keeper.runtime ?? null,
      model: settings?.keeper.model ?? null,
      permissionMode: settings?.keeper.permissionMode ?? null,
    },
    triggerCount: file?.triggers.size ?? 0,
    faults: faults.length > 0 ? faults : (file?.fileIssues ?? []),
  };
}

// The file may contain an address with a password, which `create_project` refuses. Read-only people and agents must not
// see it.
function withoutCredentials(repo: string): string {
  if (!/^https?:/i.test(repo)) return repo.replace(/^([^/@]*\/\/)?([^/@:]*):[^/@]*@/, '$1$2@');
  return repo.replace(/^(https?:)\/*[^/]*@/i, '$1//').replace(/[?#].*$/s, '');
}

/** The existing projects among these slugs. */
export async function snapshotsOf(
  { projects }: Pick<OpsDeps, 'projects'>,
  slugs: readonly string[],
): Promise<ProjectSnapshot[]> {
  const found = await Promise.all(slugs.map((slug) => projects.snapshot(slug)));
  return found.filter((project) => project !== null);
}

/** What needs attention in these projects; first of all, files that an agent may have changed. */
export async function attentionIn(
  { deps, standingsIn }: Pick<Services, 'deps' | 'standingsIn'>,
  slugs: readonly string[],
): Promise<readonly AttentionItem[]> {
  const standings = await standingsIn(await snapshotsOf(deps, slugs));
  const all = [...standings.values()].flatMap(({ attention }) => attention);
  const isUnconfirmed = ({ kind }: AttentionItem): boolean => kind === 'unconfirmed';
  return [...all.filter(isUnconfirmed), ...all.filter((item) => !isUnconfirmed(item))];
}
