import { failure, type Issue, type Result, success } from '@svc/core';
import { PROJECT_STATUSES, type ProjectStatus } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import type { Arming } from './arming.ts';
import { projectOf } from './chats.ts';
import type { OpsDeps } from './deps.ts';
import { invalidInput, type OperationError } from './errors.ts';

/** A project as lists show it. */
export interface ProjectView {
  readonly slug: string;
  readonly name: string;
  readonly summary: string | null;
  readonly area: string | null;
  readonly status: ProjectStatus | null;
  readonly repo: string | null;
  readonly triggerCount: number;
  /** Faults of `project.yaml` outside its entries, or those that keep it from being read; empty while all is well. */
  readonly faults: readonly Issue[];
}

/** A project to be created. */
export interface NewProject {
  readonly name: string;
  /** Default: the name in kebab-case, made unique by a number. */
  readonly slug?: string;
  readonly summary?: string;
  readonly area?: string;
  readonly status?: ProjectStatus;
  /** Not to be had yet: refused. */
  readonly repo?: string;
}

/** Working with projects. */
export interface ProjectOperations {
  list(): Promise<ProjectView[]>;
  get(slug: string): Promise<Result<ProjectView, OperationError>>;
  create(project: NewProject): Promise<Result<ProjectView, OperationError>>;
}

export function createProjectOperations(deps: OpsDeps, arming: Arming): ProjectOperations {
  const view = async (slug: string): Promise<Result<ProjectView, OperationError>> => {
    const snapshot = await projectOf(deps, slug);
    if (!snapshot.ok) return snapshot;
    const { file, faults } = snapshot.value;
    const settings = file?.settings;
    return success({
      slug,
      name: settings?.name ?? slug,
      summary: settings?.summary ?? null,
      area: settings?.area ?? null,
      status: settings?.status ?? null,
      repo: settings?.repo ?? null,
      triggerCount: file?.triggers.size ?? 0,
      faults: faults.length > 0 ? faults : (file?.fileIssues ?? []),
    });
  };
  return {
    get: view,
    async list() {
      const views = await Promise.all((await deps.projects.list()).map(view));
      return views.flatMap((one) => (one.ok ? [one.value] : []));
    },
    async create(project) {
      const issues = faultsOf(project);
      if (issues.length > 0) return failure(invalidInput(issues));
      const { slug: wanted, repo: _, ...settings } = project;
      const text = newProjectText(settings);
      const slug = wanted ?? kebabCase(project.name);
      const made = await createUnder(deps, slug, text, wanted === undefined);
      if (made === null) {
        return failure({ code: 'conflict', message: `A project named ${slug} exists already.` });
      }
      await arming.sync(made);
      deps.changes.publish({ kind: 'project', project: made, id: null });
      return view(made);
    },
  };
}

function faultsOf(project: NewProject): Issue[] {
  const issues: Issue[] = [];
  if (project.name.trim() === '') issues.push({ path: 'name', message: 'name must not be empty.' });
  if (project.slug !== undefined && !isSlug(project.slug)) {
    issues.push({
      path: 'slug',
      message:
        'slug must begin with a letter, digit or _ and go on with letters, digits, dots, _ and -, 64 characters at most.',
    });
  }
  if (project.repo !== undefined) {
    const message =
      'repo cannot be given yet: this version does not clone. Create the project without it and note the address in project.yaml.';
    issues.push({ path: 'repo', message });
  }
  if (project.status !== undefined && !PROJECT_STATUSES.includes(project.status)) {
    const message = `status must be one of ${PROJECT_STATUSES.join(', ')}.`;
    issues.push({ path: 'status', message });
  }
  return issues;
}

// JSON texts are YAML texts, so every name comes through whole.
function newProjectText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${lines.join('\n')}\n\ntriggers: {}\n`;
}

const SLUG_LENGTH = 56;

function kebabCase(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return slug.slice(0, SLUG_LENGTH).replace(/-+$/, '') || 'project';
}

async function createUnder(
  deps: OpsDeps,
  slug: string,
  text: string,
  mayNumber: boolean,
): Promise<string | null> {
  const tries = mayNumber ? 100 : 1;
  for (let n = 1; n <= tries; n += 1) {
    const candidate = n === 1 ? slug : `${slug}-${n}`;
    if (await deps.projects.create(candidate, text)) return candidate;
  }
  return null;
}
