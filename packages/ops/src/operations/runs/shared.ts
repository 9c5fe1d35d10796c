import { failure, isId, success } from '@svc/core';
import { type Answer, noTrigger, notFound, type OperationError } from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import {
  RUN_OUTCOMES,
  type Run,
  type RunId,
  type RunOutcome,
  runSchema,
  type Slug,
  type Source,
  type TriggerKey,
} from '@svc/records';
import type { FromSchema } from '@svc/schema';
import { validateTriggerName } from '@svc/trigger-schema';
import { count, exactly, listOf, textOrNull, time } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import type { InputOf } from '../operation.ts';
import { PAGING, projectAddress } from '../shared-schemas.ts';

export const runPageSchema = {
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
} as const;

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

/** Which runs to list. */
interface RunQuery {
  readonly trigger?: string;
  /** Only runs with one of these outcomes. */
  readonly outcomes?: readonly RunOutcome[];
  /** UTC ISO text: only runs claimed at or after it. */
  readonly from?: string;
  /** `next` of the previous page. */
  readonly cursor?: RunId;
  /** 1 to 200. Default: 50. */
  readonly limit?: number;
}

type RunPage = FromSchema<typeof runPageSchema>;

/** A page of the runs of a project. */
export async function runsOf(
  { runs, retention }: OpsDeps['store'],
  project: Slug,
  { limit = 50, ...query }: RunQuery,
): Promise<RunPage> {
  const page = await runs.list(project, { ...query, limit });
  const removed = page.next === null ? await retention.pruned(project, query.trigger) : null;
  const isBefore = removed !== null && query.from !== undefined && query.from > removed.until;
  return { ...page, removed: isBefore ? null : removed };
}

/** A run of a project. */
export async function runOf(
  { runs, retention }: OpsDeps['store'],
  project: Slug,
  id: string,
): Answer<Run> {
  const run = isId(id) ? await runs.get(project, id) : null;
  if (run !== null) return success(run);
  const isOld = isId(id) && (await retention.mayHaveHad(project, id));
  return failure(isOld ? REMOVED_RUN : notFound('run'));
}

const REMOVED_RUN: OperationError = {
  code: 'not_found',
  message: 'There is no such run. Runs of that age were removed by retention.',
  pruned: true,
};

/** The key of a trigger or legacy schedule that is declared or on record. */
export async function recordedKey(
  { store, clock }: Pick<OpsDeps, 'store' | 'clock'>,
  project: ProjectSnapshot,
  name: string,
  source: Source | undefined,
): Answer<TriggerKey> {
  const sources: readonly Source[] = source === undefined ? ['trigger', 'schedule'] : [source];
  for (const each of validateTriggerName(name).ok ? sources : []) {
    const key = { project: project.slug, source: each, name };
    const entries = each === 'trigger' ? project.file?.triggers : project.file?.schedules;
    const isKnown = entries?.has(name) || (await isRecorded(store, key, clock.now()));
    if (isKnown) return success(key);
  }
  return failure(noTrigger(project, { name, source: source ?? 'trigger' }));
}

async function isRecorded(store: OpsDeps['store'], key: TriggerKey, now: number): Promise<boolean> {
  const changes = await store.changes.of(key);
  if (changes.some(({ trigger }) => trigger !== null)) return true;
  return (await store.runs.around(key, { from: 0, until: now })).length > 0;
}
