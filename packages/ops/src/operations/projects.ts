import { success } from '@svc/core';
import { PROJECT_STATUSES } from '@svc/records';
import type { ProjectView } from '../results.ts';
import { exactly, listOf } from './common.schema.ts';
import { defineOperation, type OperationRow, READING } from './operation.ts';
import {
  createdProjectSchema,
  projectSchema,
  projectWithHealthSchema,
} from './project-answers.schema.ts';
import { line, objectOf, ofProject, RESULT } from './shared-schemas.ts';

export const listProjects: OperationRow<'list_projects'> = defineOperation({
  name: 'list_projects',
  summary: 'List projects.',
  policy: { effect: 'reads', target: 'enumerates', gate: 'read', runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  tool: {
    title: 'List projects',
    description:
      'List the visible projects with slug (the `project` argument of all other tools), display name, area and status. Read-only.',
    ...READING,
    output: objectOf({
      count: RESULT.integer,
      projects: {
        type: 'array',
        items: objectOf(
          {
            slug: RESULT.text,
            name: RESULT.text,
            area: RESULT.text,
            status: RESULT.textOrNull,
          },
          ['area'],
        ),
      },
    }),
  },
  run: async ({ nouns, target }) => success({ projects: await nouns.projects.views(target.slugs) }),
  told: ({ projects }) => ({ count: projects.length, projects: projects.map(entryOf) }),
});

export const listProjectRecords: OperationRow<'list_project_records'> = defineOperation({
  name: 'list_project_records',
  summary: 'List projects with the state of their triggers.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ProjectList', ...exactly({ projects: listOf(projectWithHealthSchema) }) },
  tool: null,
  run: async ({ nouns, target }) =>
    success({ projects: await nouns.projects.withHealth(target.slugs) }),
});

function entryOf({ slug, name, area, status }: ProjectView) {
  return { slug, name, ...(area === null ? {} : { area }), status };
}

export const createProject: OperationRow<'create_project'> = defineOperation({
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
  tool: {
    title: 'Create a project',
    description:
      'Create a project: a folder with a project.yaml, empty or cloned from a git repository. Cloning `repo` can take minutes; nothing remains if it fails. A project.yaml in the repository is kept, including its name. Unless a person clones it, its triggers and schedules are set to `enabled: false` first; enable them with set_trigger. Agents cannot use `repo`. Returns the slug, the `project` argument of the other tools.',
    destructive: false,
    idempotent: false,
    openWorld: true,
    output: objectOf(
      {
        created: RESULT.boolean,
        slug: RESULT.text,
        name: RESULT.text,
        warnings: RESULT.issues,
      },
      ['warnings'],
    ),
  },
  run: ({ nouns, caller, target, signal }, input) =>
    nouns.projects.create(caller, input, { ...target, signal }),
  told: ({ slug, name, warnings }) => ({
    created: true,
    slug,
    name,
    ...(warnings === undefined ? {} : { warnings }),
  }),
});

export const readProject: OperationRow<'read_project'> = defineOperation({
  name: 'read_project',
  summary: 'Get a project.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: projectSchema,
  tool: null,
  run: async ({ nouns, target }) => success(nouns.projects.view(target)),
});
