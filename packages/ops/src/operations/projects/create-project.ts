import { PROJECT_STATUSES } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { warnings } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { line, objectOf, RESULT } from '../shared-schemas.ts';
import { projectSchema } from './shared.ts';

const createdProjectSchema: JsonSchema = {
  ...projectSchema,
  $id: 'CreatedProject',
  properties: { ...(projectSchema['properties'] as object), warnings },
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
  toToolResult: ({ slug, name, warnings }) => ({
    created: true,
    slug,
    name,
    ...(warnings === undefined ? {} : { warnings }),
  }),
});
