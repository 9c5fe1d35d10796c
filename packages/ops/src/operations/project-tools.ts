import { success } from '@svc/core';
import { PROJECT_STATUSES } from '@svc/records';
import type { ProjectOperations, ProjectView } from '../project-operations.ts';
import { defineOperation, type OperationDefinition, READING } from './operation.ts';
import { objectOf, RESULT } from './shared-schemas.ts';

/** The operations on projects. */
export function projectTools(projects: ProjectOperations): OperationDefinition[] {
  return [listProjects(projects), createProject(projects)];
}

function listProjects(projects: ProjectOperations): OperationDefinition {
  return defineOperation(
    {
      name: 'list_projects',
      title: 'List projects',
      description:
        'Lists the projects that you may see, each with its slug (the name that every other tool takes as `project`), its name for people, its area and its status. Changes nothing.',
      policy: { effect: 'reads', target: 'enumerates' },
      ...READING,
      input: { type: 'object', additionalProperties: false, properties: {} },
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
    async ({ target }) => {
      const views = await Promise.all(target.slugs.map((slug) => projects.get(slug)));
      const seen = views.flatMap((view) => (view.ok ? [entryOf(view.value)] : []));
      return success({ count: seen.length, projects: seen });
    },
  );
}

function entryOf({ slug, name, area, status }: ProjectView) {
  return { slug, name, ...(area === null ? {} : { area }), status };
}

const line = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: 1000, description }) as const;

function createProject(projects: ProjectOperations): OperationDefinition {
  return defineOperation(
    {
      name: 'create_project',
      title: 'Create a project',
      description:
        'Creates a project: a folder with a project.yaml, empty or cloned from a git repository. With `repo` the repository is cloned first, which can take minutes; if that fails nothing is left behind. A repository that brings its own project.yaml keeps it as it is: its name counts, and the triggers that it enables are armed at once. Returns the slug that the other tools take as `project`.',
      policy: { effect: 'mutates', target: 'new_project' },
      destructive: false,
      idempotent: false,
      openWorld: true,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: line('Name for people.'),
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
              'Git repository to clone: https://host/path, ssh://host/path or user@host:path. No passwords in it.',
          },
          summary: line('What the project is for, in a sentence.'),
          area: line('What it belongs to, for grouping.'),
          status: { enum: PROJECT_STATUSES, description: 'Default: active.' },
        },
      },
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
    async ({ target, signal }, args) => {
      const made = await projects.create(args, { mayCreate: target.mayCreate, signal });
      if (!made.ok) return made;
      const { slug, name, warnings } = made.value;
      const told = warnings === undefined ? {} : { warnings };
      return success({ created: true, slug, name, ...told });
    },
  );
}
