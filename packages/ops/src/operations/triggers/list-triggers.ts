import { success } from '@svc/core';
import { defineOperation, READING } from '../operation.ts';
import { objectOf, project, RESULT } from '../shared-schemas.ts';
import { FLAT_OPTIONAL, flatState, flatTriggerSchema } from './shared.ts';

/** JSON Schema of an entry of the legacy `schedules` map. */
const legacyViewSchema: object = objectOf(
  {
    name: RESULT.text,
    type: RESULT.text,
    cron: RESULT.textOrNull,
    interval: RESULT.textOrNull,
    enabled: RESULT.boolean,
    ...flatState,
    warnings: RESULT.issues,
  },
  FLAT_OPTIONAL,
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
    output: objectOf(
      {
        project: RESULT.text,
        count: RESULT.integer,
        triggers: { type: 'array', items: flatTriggerSchema },
        invalid: {
          type: 'array',
          items: objectOf({ name: RESULT.text, issues: RESULT.issues }),
        },
        legacySchedules: { type: 'array', items: legacyViewSchema },
      },
      ['legacySchedules'],
    ),
  },
  run: async ({ services, target }) => success(await services.flat.list(target)),
});
