import { RUN_OUTCOMES, runSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import type { RunQuery } from '../../work.ts';
import { count, exactly, listOf, textOrNull, time } from '../common.schema.ts';
import type { InputOf } from '../operation.ts';
import { PAGING, projectAddress } from '../shared-schemas.ts';

export const runPageSchema: JsonSchema = {
  $id: 'RunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Pass as `cursor` to get the next page.' },
    removed: {
      ...exactly({
        count: { ...count, description: 'Number of runs.' },
        until: { ...time, description: 'Claim time of the newest of them.' },
      }),
      type: ['object', 'null'],
      description: 'On the last page: older runs removed by retention; null if none.',
    },
  }),
};

export const PAGE = {
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

export const ONE_RUN = {
  type: 'object',
  additionalProperties: false,
  required: ['project', 'run_id'],
  properties: {
    project: projectAddress,
    run_id: { type: 'string', description: 'Id of the run (a UUID).' },
  },
} as const;

export const NAMED = {
  project: projectAddress,
  name: { type: 'string', description: 'Name of a trigger or legacy schedule.' },
  source: {
    enum: ['trigger', 'schedule'],
    description: 'Which one, if both have this name. Default: trigger.',
  },
} as const;

export const PAGE_QUERY = { outcome: 'outcome', from: 'from', limit: 'limit', cursor: 'cursor' };

export function queryOf(page: Page, trigger: string | undefined): RunQuery {
  const { outcome: outcomes, from, ...rest } = page;
  return {
    ...rest,
    ...(trigger === undefined ? {} : { trigger }),
    ...(outcomes === undefined ? {} : { outcomes }),
    // The store compares texts, so the instant is converted to UTC.
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
  };
}
