import { failure, success } from '@svc/core';
import { RUN_OUTCOMES, runSchema } from '@svc/records';
import { validateTriggerName } from '@svc/trigger-schema';
import type { RunQuery } from '../work.ts';
import { defineOperation, type InputOf, type OperationRow } from './operation.ts';
import { allRunPageSchema, runPageSchema } from './project-answers.schema.ts';
import { PAGING, projectAddress } from './shared-schemas.ts';

const PAGE = {
  outcome: {
    type: 'array',
    items: { enum: RUN_OUTCOMES },
    description: 'Only runs with one of these outcomes, e.g. failed,timed_out.',
  },
  from: {
    type: 'string',
    format: 'date-time',
    description: 'Only runs claimed at or after this time.',
  },
  ...PAGING,
} as const;

type Page = InputOf<{
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: typeof PAGE;
}>;

function queryOf(page: Page, trigger: string | undefined): RunQuery {
  const { outcome: outcomes, from, ...rest } = page;
  return {
    ...rest,
    ...(trigger === undefined ? {} : { trigger }),
    ...(outcomes === undefined ? {} : { outcomes }),
    // The same instant whatever its zone, as the store compares texts.
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
  };
}

export const listRuns: OperationRow<'list_runs'> = defineOperation({
  name: 'list_runs',
  summary: 'List the runs of a project, newest first.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      trigger: {
        type: 'string',
        minLength: 1,
        description: 'Name of a trigger or legacy schedule.',
      },
      ...PAGE,
    },
  },
  output: runPageSchema,
  tool: null,
  run: async ({ nouns, target }, { project: _, trigger, ...page }) =>
    success(await nouns.runs.list(target.slug, queryOf(page, trigger))),
});

export const listTriggerRuns: OperationRow<'list_trigger_runs'> = defineOperation({
  name: 'list_trigger_runs',
  summary: 'List the runs of a trigger, newest first, even if it has been removed.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: {
      project: projectAddress,
      name: { type: 'string', description: 'Name of a trigger or legacy schedule.' },
      ...PAGE,
    },
  },
  output: runPageSchema,
  tool: null,
  async run({ nouns, target }, { project: _, name, ...page }) {
    if (!validateTriggerName(name).ok) {
      const found = await nouns.triggers.get(target, name);
      if (!found.ok) return failure(found.error);
    }
    return success(await nouns.runs.list(target.slug, queryOf(page, name)));
  },
});

export const listAllRuns: OperationRow<'list_all_runs'> = defineOperation({
  name: 'list_all_runs',
  summary: 'List the runs of all projects, newest first.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: PAGE,
  },
  output: allRunPageSchema,
  tool: null,
  run: async ({ nouns, target }, page) =>
    success(await nouns.runs.listAll(target.slugs, queryOf(page, undefined))),
});

export const findRun: OperationRow<'find_run'> = defineOperation({
  name: 'find_run',
  summary: 'Get a run of any project.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  subject: 'run_id',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['run_id'],
    properties: { run_id: { type: 'string', description: 'Id of the run (a UUID).' } },
  },
  output: runSchema,
  tool: null,
  run: ({ nouns, target }, { run_id: id }) => nouns.runs.find(target.slugs, id),
});

const one = {
  type: 'object',
  additionalProperties: false,
  required: ['project', 'run_id'],
  properties: {
    project: projectAddress,
    run_id: { type: 'string', description: 'Id of the run (a UUID).' },
  },
} as const;

export const readRun: OperationRow<'read_run'> = defineOperation({
  name: 'read_run',
  summary: 'One run.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'run_id',
  input: one,
  output: runSchema,
  tool: null,
  run: ({ nouns, target }, { run_id: id }) => nouns.runs.get(target.slug, id),
});

export const cancelRun: OperationRow<'cancel_run'> = defineOperation({
  name: 'cancel_run',
  summary: 'Cancel a queued or running run.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: false },
  subject: 'run_id',
  input: one,
  output: runSchema,
  tool: null,
  run: ({ nouns, caller, target }, { run_id: id }) => nouns.runs.cancel(caller, target.slug, id),
});
