import { success } from '@svc/core';
import { healthOf } from '../../queries/project-health.ts';
import { count, exactly, extended, listOf, textOrNull, timeOrNull } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectSchema, snapshotsOf, viewOf } from './shared.ts';

const healthSchema = {
  $id: 'ProjectHealth',
  description: 'Number of triggers and legacy schedules that need attention.',
  ...exactly({
    total: { ...count, description: 'Entries of `triggers`, valid or not.' },
    needYou: {
      ...count,
      description:
        'Triggers that need attention, each counted once: invalid, paused, or enabled and failing, not armed, unready or limited.',
    },
    legacyNeedYou: { ...count, description: 'Legacy schedules that need attention.' },
    failing: {
      ...count,
      description: 'Enabled, and the newest turn failed. Missed and skipped slots are ignored.',
    },
    invalid: { ...count, description: 'Invalid entries, plus one for a file that cannot be read.' },
    paused: count,
    unready: {
      ...count,
      description: 'Enabled, but every run would currently fail: see `problem` of the entry.',
    },
    limited: {
      ...count,
      description: 'Enabled, but stopped for today by a daily limit.',
    },
    silent: {
      ...count,
      description: 'Enabled, but waiting because the clock was set back: see `clock` of the state.',
    },
    running: { ...count, description: 'With a running turn.' },
    missed24h: { ...count, description: 'Enabled, and a slot was missed in the last 24 hours.' },
    armed: count,
    nextFire: timeOrNull,
  }),
} as const;

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
