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
  summary: 'List the projects.',
  policy: { effect: 'reads', target: 'enumerates', gate: 'read', runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  tool: {
    title: 'List projects',
    description:
      'Lists the projects that you may see, each with its slug (the name that every other tool takes as `project`), its name for people, its area and its status. Changes nothing.',
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
  summary: 'The projects, each with how its triggers are.',
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
      name: { ...line('Name for people.', 200), minLength: 1 },
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
          'Git repository to clone: https://host/path, ssh://host/path or user@host:path. No passwords in it. Only for people, and for clients that reach every project, may call set_trigger and have no maxSpawnDepth.',
      },
      summary: line('What the project is for, in a sentence.', 2000),
      area: line('What it belongs to, for grouping.', 200),
      status: { enum: PROJECT_STATUSES, description: 'Default: active.' },
    },
  },
  output: createdProjectSchema,
  tool: {
    title: 'Create a project',
    description:
      'Creates a project: a folder with a project.yaml, empty or cloned from a git repository. With `repo` the repository is cloned first, which can take minutes; if that fails nothing is left behind. A repository that brings its own project.yaml keeps it: its name counts. Unless a person clones it, `enabled: false` is written into each of its triggers and schedules first; enable those you want with set_trigger. Agents cannot give `repo`. Returns the slug that the other tools take as `project`.',
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
  summary: 'One project.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: projectSchema,
  tool: null,
  run: async ({ nouns, target }) => success(nouns.projects.view(target)),
});
