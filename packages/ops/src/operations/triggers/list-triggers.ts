import { success } from '@svc/core';
import { exactly, flag, integer, text, textOrNull, toolIssues } from '../../common.schema.ts';
import { defineOperation, READING } from '../operation.ts';
import { project } from '../shared-schemas.ts';
import { flatRemarks, flatState, flatTriggerSchema } from './shared.ts';

/** JSON Schema of an entry of the legacy `schedules` map. */
const legacyViewSchema = exactly(
  {
    name: text,
    type: text,
    cron: textOrNull,
    interval: textOrNull,
    enabled: flag,
    ...flatState,
  },
  flatRemarks,
);

export const listTriggers = defineOperation({
  name: 'list_triggers',
  summary: 'List the triggers of a project.',
  policy: { effect: 'reads', target: 'project', gate: 'hooks', runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: { project } },
  output: null,
  http: null,
  tool: {
    title: 'List triggers',
    description:
      'List all triggers of a project: schedule or event, prompt, enabled and armed state, next run, last outcome, and capabilities of the agent (`capability`). Invalid entries of project.yaml, which never fire, are in `invalid` with reasons. Entries of the legacy `schedules` map are in `legacySchedules`. Read-only.',
    ...READING,
    output: exactly(
      {
        project: text,
        count: integer,
        triggers: { type: 'array', items: flatTriggerSchema },
        invalid: {
          type: 'array',
          items: exactly({ name: text, issues: toolIssues }),
        },
      },
      {
        legacySchedules: { type: 'array', items: legacyViewSchema },
      },
    ),
  },
  run: async ({ services, target }) => success(await services.flat.list(target)),
});
