import { success } from '@svc/core';
import { exactly, extended, listOf, textOrNull } from '../../common.schema.ts';
import { healthOf, healthSchema } from '../../queries/project-health.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectSchema, snapshotsOf, viewOf } from './shared.ts';

const projectWithHealthSchema = {
  ...extended(projectSchema, {
    health: healthSchema,
    node: {
      ...textOrNull,
      description: 'Id of the server that owns it; null on a single server.',
    },
  }),
  $id: 'ProjectWithHealth',
} as const;

export const listProjectRecords = defineOperation({
  name: 'list_project_records',
  summary: 'List projects with the state of their triggers.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ProjectList', ...exactly({ projects: listOf(projectWithHealthSchema) }) },
  http: {
    method: 'get',
    path: '/projects',
    id: 'list_projects',
    tag: 'projects',
    status: 200,
    example: {
      response: {
        projects: [
          {
            ...sample.project,
            health: {
              total: 1,
              needYou: 1,
              legacyNeedYou: 0,
              failing: 0,
              invalid: 0,
              paused: 0,
              unready: 0,
              limited: 1,
              silent: 0,
              running: 0,
              missed24h: 0,
              armed: 1,
              nextFire: sample.NEXT,
            },
            node: null,
          },
        ],
      },
    },
  },
  tool: null,
  async run({ services: { deps, members, standingsIn }, target }) {
    const projects = await snapshotsOf(deps, target.slugs);
    const standings = await standingsIn(projects);
    const listed = projects.flatMap((project) => {
      const own = standings.get(project.slug);
      if (own === undefined) return [];
      const node = members.isShared ? members.holder(project.slug) : null;
      return [{ ...viewOf(project), health: healthOf(own), node }];
    });
    return success({ projects: listed });
  },
});
