import { failure, type Issue, type Result, success } from '@svc/core';
import {
  definitionHash,
  definitionsOf,
  invalidInput,
  notFound,
  type OperationError,
} from '@svc/engine';
import { checkRepoAddress } from '@svc/projects';
import { PROJECT_STATUSES, type ProjectStatus } from '@svc/records';
import { isSlug, type ProjectFile } from '@svc/trigger-schema';
import { exactly, extended, flag, text, toolIssues, warnings } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import { type Cloning, defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { line } from '../shared-schemas.ts';
import { projectSchema, viewOf } from './shared.ts';

const createdProjectSchema = {
  ...extended(projectSchema, {}, { warnings }),
  $id: 'CreatedProject',
};

export const createProject = defineOperation({
  name: 'create_project',
  summary: 'Create a project.',
  policy: { effect: 'mutates', target: 'new_project', gate: 'projects', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { ...line('Display name.', 200), minLength: 1 },
      slug: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description:
          'Folder name: letters, digits, dots, _ and -. Default: the name in kebab-case, with a number if that is taken.',
      },
      repo: {
        type: 'string',
        minLength: 1,
        maxLength: 2048,
        description:
          'Git repository to clone: https://host/path, ssh://host/path or user@host:path, without a password. Only for people, and for clients with all projects, set_trigger and no maxSpawnDepth.',
      },
      summary: line('Purpose of the project, in one sentence.', 2000),
      area: line('Area, for grouping.', 200),
      status: { enum: PROJECT_STATUSES, description: 'Default: active.' },
    },
  },
  output: createdProjectSchema,
  http: {
    method: 'post',
    path: '/projects',
    tag: 'projects',
    status: 201,
    body: {
      id: 'NewProject',
      fields: ['name', 'slug', 'summary', 'area', 'status', 'repo'],
      required: true,
    },
    errors: ['conflict', 'unavailable'],
    example: {
      body: { name: 'Handbook', summary: 'How we work.', area: 'docs', status: 'active' },
      response: sample.project,
    },
  },
  tool: {
    title: 'Create a project',
    description:
      'Create a project: a folder with a project.yaml, empty or cloned from a git repository. Cloning `repo` can take minutes; nothing remains if it fails. A project.yaml in the repository is kept, including its name. Unless a person clones it, its triggers and schedules are set to `enabled: false` first; enable them with set_trigger. Agents cannot use `repo`. Returns the slug, the `project` argument of the other tools.',
    destructive: false,
    idempotent: false,
    openWorld: true,
    output: exactly(
      {
        created: flag,
        slug: text,
        name: text,
      },
      {
        warnings: toolIssues,
      },
    ),
  },
  async run({ services, caller, target, signal }, input) {
    const { deps, settings, arming, changeLog } = services;
    const limits = { ...target, signal };
    const refusal = refusalOf(input, limits);
    if (refusal !== null) return failure(refusal);
    const notes: (() => Promise<void>)[] = [];
    const noteAll = async (slug: string, file: ProjectFile): Promise<void> => {
      for (const { key, record } of definitionsOf(slug, file)) {
        notes.push(await changeLog.announce(caller, key, definitionHash(record)));
      }
    };
    const { maxSpawnDepth } = settings;
    let made: Made;
    try {
      made = await makeFolder(deps, input, { ...limits, maxSpawnDepth }, noteAll);
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
  toToolResult: ({ slug, name, warnings }) => ({
    created: true,
    slug,
    name,
    ...(warnings === undefined ? {} : { warnings }),
  }),
});

/** A project to create. */
interface NewProject {
  readonly name: string;
  /** Default: the name in kebab-case, with a number if it is taken. */
  readonly slug?: string;
  readonly summary?: string;
  readonly area?: string;
  readonly status?: ProjectStatus;
  /** Git repository to clone; its own project.yaml, if any, is kept. */
  readonly repo?: string;
}

/** Limits for the creation of a project. */
interface CreateLimits {
  /** Whether a project with this slug may be created. */
  readonly mayCreate: (slug: string) => boolean;
  /** How a project may be created from a repository. */
  readonly cloning: Cloning;
  /** Aborts cloning. */
  readonly signal: AbortSignal;
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
      ...(ownFile ? ignoredWarnings(project) : []),
      ...(disabled ? [DISABLED] : []),
      ...(narrowed.length > 0 ? [narrowedWarning(narrowed)] : []),
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

function narrowedWarning(narrowed: readonly string[]): Issue {
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

function ignoredWarnings(project: NewProject): Issue[] {
  const message = 'was ignored: the repository has its own project.yaml, which was not changed.';
  return SETTINGS.filter((key) => project[key] !== undefined).map((path) => ({ path, message }));
}
