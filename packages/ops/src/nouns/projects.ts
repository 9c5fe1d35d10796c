import { failure, type Issue, type Result, success } from '@svc/core';
import { checkRepoAddress, type ProjectSnapshot } from '@svc/projects';
import { isSlug, type ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import { invalidInput, notFound, type OperationError } from '../errors.ts';
import type { ProjectView } from '../results.ts';
import type { CreateLimits, NewProject, ProjectWork } from '../work.ts';
import { definitionHash, definitionsOf } from './definition.ts';
import type { NounParts } from './parts.ts';
import { healthOf } from './project-health.ts';

export function createProjectWork(parts: NounParts): ProjectWork {
  const { deps, settings, arming, changeLog, standingsIn, members } = parts;
  const nodeOf = (slug: string) => (members.isShared ? members.holder(slug) : null);
  const readAll = async (slugs: readonly string[]): Promise<ProjectSnapshot[]> => {
    const found = await Promise.all(slugs.map((slug) => deps.projects.snapshot(slug)));
    return found.filter((project) => project !== null);
  };
  return {
    view: viewOf,
    views: async (slugs) => (await readAll(slugs)).map(viewOf),
    async withHealth(slugs) {
      const projects = await readAll(slugs);
      const standings = await standingsIn(projects);
      return projects.flatMap((project) => {
        const own = standings.get(project.slug);
        if (own === undefined) return [];
        return [{ ...viewOf(project), health: healthOf(own), node: nodeOf(project.slug) }];
      });
    },
    async attention(slugs) {
      const standings = await standingsIn(await readAll(slugs));
      return [...standings.values()].flatMap(({ attention }) => attention);
    },
    async create(caller, project, limits) {
      const refusal = refusalOf(project, limits);
      if (refusal !== null) return failure(refusal);
      const notes: (() => Promise<void>)[] = [];
      const noteAll = async (slug: string, file: ProjectFile): Promise<void> => {
        for (const { key, record } of definitionsOf(slug, file)) {
          notes.push(await changeLog.about(caller, key, definitionHash(record)));
        }
      };
      const { maxSpawnDepth } = settings;
      let made: Made;
      try {
        made = await makeFolder(deps, project, { ...limits, maxSpawnDepth }, noteAll);
        if (made.ok) await arming.sync(made.value.slug);
      } finally {
        for (const dropNote of notes) await dropNote();
      }
      if (!made.ok) return made;
      const { slug, warnings } = made.value;
      deps.changes.publish({ kind: 'project', project: slug, id: null });
      const created = await deps.projects.snapshot(slug);
      if (created === null) return failure(notFound('project'));
      return success({ ...viewOf(created), ...(warnings.length > 0 ? { warnings } : {}) });
    },
  };
}

function viewOf({ slug, file, faults }: ProjectSnapshot): ProjectView {
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

function refusalOf(project: NewProject, limits: CreateLimits): OperationError | null {
  if (project.repo !== undefined && limits.cloning === 'refused') {
    const slug = project.slug ?? kebabCase(project.name);
    return limits.mayCreate(slug) ? invalidInput([NOT_CLONED]) : DENIED;
  }
  const issues = faultsOf(project);
  return issues.length > 0 ? invalidInput(issues) : null;
}

function faultsOf(project: NewProject): Issue[] {
  const issues: Issue[] = [];
  if (project.name.trim() === '') issues.push({ path: 'name', message: 'must not be empty.' });
  if (project.slug !== undefined && !isSlug(project.slug)) {
    issues.push({
      path: 'slug',
      message:
        'must start with a letter, digit or _ and contain only letters, digits, dots, _ and -, at most 64 characters.',
    });
  }
  if (project.repo !== undefined) {
    const address = checkRepoAddress(project.repo);
    if (!address.ok) issues.push(...address.issues);
  }
  return issues;
}

const NOT_CLONED: Issue = {
  path: 'repo',
  message:
    'is only for people, and for clients with all projects, set_trigger and no maxSpawnDepth. Omit it, or ask a person.',
};

// JSON is valid YAML, so every name is written correctly.
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

async function makeFolder(
  deps: OpsDeps,
  project: NewProject,
  limits: FolderLimits,
  onFile: OnFile,
): Promise<Made> {
  const { slug: wanted, ...settings } = project;
  const text = newProjectText(settings);
  const slug = wanted ?? kebabCase(project.name);
  const tries = wanted === undefined ? 100 : 1;
  for (let n = 1; n <= tries; n += 1) {
    const candidate = n === 1 ? slug : `${slug}-${n}`;
    // A caller who may not create a slug must not learn whether it exists.
    if (!limits.mayCreate(candidate)) return failure(n === 1 ? DENIED : taken(slug));
    const made = await makeOne(deps, { slug: candidate, project, text }, limits, onFile);
    if (made !== null) return made;
  }
  return failure(taken(slug));
}

const DENIED: OperationError = {
  code: 'not_permitted',
  message: 'A project with this name is outside your scope.',
};

function taken(slug: string): OperationError {
  return { code: 'conflict', message: `A project named ${slug} already exists.` };
}

// A created project; warnings name ignored fields.
type Made = Result<{ readonly slug: string; readonly warnings: readonly Issue[] }, OperationError>;

/** The limits of a new project, with the maximum spawn depth for a disabled clone. */
type FolderLimits = CreateLimits & { readonly maxSpawnDepth: number };

/** Called with the file from a repository, before the project folder becomes visible. */
type OnFile = (slug: string, file: ProjectFile) => Promise<void>;

interface Wish {
  readonly slug: string;
  readonly project: NewProject;
  readonly text: string;
}

// null if the slug is taken.
async function makeOne(
  deps: OpsDeps,
  { slug, project, text }: Wish,
  { cloning, signal, maxSpawnDepth }: FolderLimits,
  onFile: OnFile,
): Promise<Made | null> {
  if (project.repo === undefined) {
    return (await deps.projects.create(slug, text)) ? success({ slug, warnings: [] }) : null;
  }
  const cloned = await deps.projects.clone(slug, project.repo, text, {
    ...{ signal, disabled: cloning !== 'as_it_is', maxSpawnDepth },
    onFile: (file) => onFile(slug, file),
  });
  if (cloned.ok) {
    const { ownFile, disabled, narrowed } = cloned.value;
    const warnings = [
      ...(ownFile ? unheeded(project) : []),
      ...(disabled ? [DISABLED] : []),
      ...(narrowed.length > 0 ? [takenBack(narrowed)] : []),
    ];
    return success({ slug, warnings });
  }
  const { code, message, issues } = cloned.error;
  if (code === 'taken') return null;
  return failure({ code: CLONE_CODES[code], message, issues });
}

const DISABLED: Issue = {
  path: 'repo',
  message: 'contains triggers or schedules, which were disabled. Enable those you want.',
};

function takenBack(narrowed: readonly string[]): Issue {
  const message = `gives agents more rights through ${narrowed.join(', ')}. svc removed these settings; a person can set them again.`;
  return { path: 'repo', message };
}

const CLONE_CODES = {
  invalid: 'invalid',
  unsuitable: 'invalid',
  failed: 'unavailable',
  timed_out: 'unavailable',
  aborted: 'unavailable',
  git_missing: 'unavailable',
  unavailable: 'unavailable',
} as const satisfies Readonly<Record<string, OperationError['code']>>;

const SETTINGS = ['name', 'summary', 'area', 'status'] as const;

function unheeded(project: NewProject): Issue[] {
  const message = 'was ignored: the repository has its own project.yaml, which was not changed.';
  return SETTINGS.filter((key) => project[key] !== undefined).map((path) => ({ path, message }));
}
